import { cva } from "class-variance-authority";
import type { ReactNode } from "react";

/** Amber: waits for a person. Teal: in progress. Green: settled. Red: denied or failed. Mute: anything else. */
export type StatusTone = "amber" | "teal" | "green" | "red" | "mute";

const status = cva(
  "status inline-flex items-center gap-1.5 align-middle text-sm/5 whitespace-nowrap [&_svg]:size-4 [&_svg]:stroke-[1.8] max-[381px]:in-[table]:whitespace-normal",
  {
    variants: {
      tone: {
        amber: "pt-0.5 pr-2 pb-0.5 pl-1.5 rounded-sm bg-amber-soft font-semibold text-amber",
        teal: "font-medium text-teal",
        green: "font-medium text-green",
        red: "font-medium text-red",
        mute: "font-medium text-ink-3",
      },
    },
  },
);

/** An icon and a word, never color alone. */
export function Status({ tone, icon, children }: { tone: StatusTone; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={status({ tone })}>
      {icon}
      {children}
    </span>
  );
}
