import type { ReactNode } from "react";

/** Amber: waits for a person. Teal: in progress. Green: settled. Red: denied or failed. Mute: anything else. */
export type StatusTone = "amber" | "teal" | "green" | "red" | "mute";

/** An icon and a word, never color alone. */
export function Status({ tone, icon, children }: { tone: StatusTone; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={`st st-${tone}`}>
      {icon}
      {children}
    </span>
  );
}
