import type { ReactNode } from "react";

export interface TimelineItem {
  key: string;
  icon: ReactNode;
  title: string;
  detail: ReactNode;
  /** `waiting` is amber: a person must act. */
  state: "done" | "waiting" | "underway" | "ahead";
  tone?: "good" | "bad";
}

const STATE_CLASS = { done: "", waiting: "now", underway: "now2", ahead: "todo" };

/** Past, present and expected events. */
export function Timeline({ items }: { items: TimelineItem[] }) {
  return (
    <ol className="tl">
      {items.map(({ key, icon, title, detail, state, tone }) => (
        <li key={key} className={[STATE_CLASS[state], tone].filter(Boolean).join(" ")}>
          <span className="tl-i">{icon}</span>
          <div>
            <b>{title}</b>
            <p>{detail}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
