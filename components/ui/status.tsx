import type { ReactNode } from "react";

/** Amber waits for a person, teal is under way, green is settled, red denied or failed, mute is none of these. */
export type StatusTone = "amber" | "teal" | "green" | "red" | "mute";

/** An icon and a word: a status is never a colour alone. */
export function Status({ tone, icon, children }: { tone: StatusTone; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={`st st-${tone}`}>
      {icon}
      {children}
    </span>
  );
}
