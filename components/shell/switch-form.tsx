import type { ReactNode } from "react";

interface SwitchFormProps {
  /** Path to open in the other organization. */
  next: string;
  /** Buttons named `organization` with an ID as value. */
  children: ReactNode;
}

/** Switches organization (app/organization/route.ts), without scripts and in a new document. */
export function SwitchForm({ next, children }: SwitchFormProps) {
  return (
    <form method="post" action="/organization">
      <input type="hidden" name="next" value={next} />
      {children}
    </form>
  );
}
