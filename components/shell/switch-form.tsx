import type { ReactNode } from "react";
import { SHOWN_FIELD } from "@/lib/contract/shown";

interface SwitchFormProps {
  /** The member and organization that the page shows (lib/contract/shown.ts). */
  shown: string;
  /** Path to open in the other organization. */
  next: string;
  /** Buttons named `organization` with an ID as value. */
  children: ReactNode;
}

/** Switches organization (app/organization/route.ts), without scripts and in a new document. */
export function SwitchForm({ shown, next, children }: SwitchFormProps) {
  return (
    <form method="post" action="/organization">
      <input type="hidden" name={SHOWN_FIELD} value={shown} />
      <input type="hidden" name="next" value={next} />
      {children}
    </form>
  );
}
