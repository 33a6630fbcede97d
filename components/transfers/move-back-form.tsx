"use client";

import { useActionState } from "react";
import { Amount } from "@/components/money/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { TextareaField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";

interface MoveBackFormProps {
  amountInCents: number;
  fromName: string;
  toName: string;
  cancelHref: string;
  /** Opens the proposal, unless it is refused. */
  propose: (previous: Refused | null, form: FormData) => Promise<Refused>;
}

/** Proposes a transfer that reverses a settled one. */
export function MoveBackForm({ amountInCents, fromName, toName, cancelHref, propose }: MoveBackFormProps) {
  const [refusal, submit, isBusy] = useActionState(propose, null);
  return (
    <form action={submit} className="move-back">
      <h1 className="ask">
        <span className="q">Move</span> <Amount cents={amountInCents} size="4xl" />{" "}
        <span className="q">
          back from {fromName} to {toName}?
        </span>
      </h1>
      <p className="lede">
        This creates a proposal with balances and checks. Nothing moves until you or another owner approves
        it.
      </p>
      <TextareaField
        label="Reason"
        name="reason"
        rows={3}
        maxLength={1000}
        hint="Optional. Shown to approvers."
      />
      <div role="status">{refusal ? <Note tone="red">{refusal.message}</Note> : null}</div>
      <div className="btns">
        <Link className={buttonClass({ kind: "quiet" })} href={cancelHref}>
          Cancel
        </Link>
        <Button kind="primary" type="submit" busy={isBusy}>
          {isBusy ? "Proposing" : "Propose moving it back"}
        </Button>
      </div>
    </form>
  );
}
