import type { ReactNode } from "react";

interface SwitchFormProps {
  /** Path to open in the other organization. */
  next: string;
  /** Buttons named `organization`, each with the id of one. */
  children: ReactNode;
}

/** Looks at another organization (app/organization/route.ts): works without scripts, and opens a new document. */
export function SwitchForm({ next, children }: SwitchFormProps) {
  return (
    <form method="post" action="/organization">
      <input type="hidden" name="next" value={next} />
      {children}
    </form>
  );
}
