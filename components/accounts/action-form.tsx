"use client";

import { type ReactNode, useActionState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";

interface ActionFormProps {
  /** Answers the sentence that says why it was refused; otherwise it opens another page. */
  action: (previous: string | null) => Promise<string | null>;
  label: string;
  busyLabel: string;
  /** The quiet way out. */
  way?: ReactNode;
}

/** One act, with room for why it was refused. */
export function ActionForm({ action, label, busyLabel, way }: ActionFormProps) {
  const [refusal, submit, isBusy] = useActionState(action, null);
  return (
    <form action={submit}>
      <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
      <div className="btns">
        {way}
        <Button kind="primary" type="submit" busy={isBusy}>
          {isBusy ? busyLabel : label}
        </Button>
      </div>
    </form>
  );
}
