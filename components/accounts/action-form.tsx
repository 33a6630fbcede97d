"use client";

import { type ReactNode, useActionState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";

interface ActionFormProps {
  /** Opens another page, unless it is refused. */
  action: (previous: Refused | null) => Promise<Refused>;
  label: string;
  busyLabel: string;
  /** The secondary link, to leave. */
  way?: ReactNode;
}

/** A single action, with room for the reason it was refused. */
export function ActionForm({ action, label, busyLabel, way }: ActionFormProps) {
  const [refusal, submit, isBusy] = useActionState(action, null);
  return (
    <form action={submit}>
      <div role="status">{refusal ? <Note tone="red">{refusal.message}</Note> : null}</div>
      <div className="btns">
        {way}
        <Button kind="primary" type="submit" busy={isBusy}>
          {isBusy ? busyLabel : label}
        </Button>
      </div>
    </form>
  );
}
