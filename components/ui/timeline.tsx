import { cva } from "class-variance-authority";
import type { ReactNode } from "react";

export interface TimelineItem {
  key: string;
  icon: ReactNode;
  title: ReactNode;
  detail: ReactNode;
  /** `waiting` is amber: a person must act. */
  state: "done" | "waiting" | "underway" | "ahead";
  tone?: "good" | "bad";
}

const item = cva(
  "relative grid grid-cols-[26px_1fr] gap-2.5 pb-5 last:pb-0 before:absolute before:top-6 before:-bottom-0.5 before:border-rule-strong last:before:hidden",
  {
    variants: {
      state: {
        done: "before:left-3 before:border-l-3 before:border-double",
        underway: "before:left-3 before:border-l-3 before:border-double",
        waiting: "before:left-[12.5px] before:border-l-[1.5px] before:border-dashed",
        ahead: "text-ink-3 before:left-[12.5px] before:border-l-[1.5px] before:border-dashed",
      },
    },
  },
);

const mark = cva("grid place-items-center size-6.5 rounded-full [&_svg]:size-4.25", {
  variants: {
    look: {
      done: "bg-paper text-teal",
      good: "bg-paper text-teal",
      bad: "bg-paper text-red",
      waiting: "bg-amber-soft text-amber",
      underway: "bg-water-3 text-teal",
      ahead: "bg-paper text-ink-3",
    },
  },
});

/** Past, present and expected events. */
export function Timeline({ items }: { items: TimelineItem[] }) {
  return (
    <ol className="relative [&_b]:font-medium">
      {items.map(({ key, icon, title, detail, state, tone }) => (
        <li key={key} className={item({ state })}>
          <span className={mark({ look: state === "done" ? (tone ?? state) : state })}>{icon}</span>
          <div>
            <b>{title}</b>
            <p className="text-sm text-ink-3">{detail}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
