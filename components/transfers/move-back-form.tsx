"use client";

import { useActionState } from "react";
import { Amount } from "@/components/money/amount";
import { formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Button, buttonClass } from "@/components/ui/button";
import { TextareaField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { formatCents } from "@/lib/contract/format-cents";
import type { Refused } from "@/lib/contract/refused";
import type { TimeContext } from "@/lib/contract/views/time-context";

interface MoveBackFormProps {
  amountInCents: number;
  fromName: string;
  toName: string;
  settledAt: string;
  /** The page of the transfer to reverse. */
  transferHref: string;
  time: TimeContext;
  /** Opens the proposal, unless it is refused. */
  propose: (previous: Refused | null, form: FormData) => Promise<Refused>;
}

/** Proposes a transfer that reverses a settled one. */
export function MoveBackForm(props: MoveBackFormProps) {
  const { amountInCents, fromName, toName, settledAt, transferHref, time, propose } = props;
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
        Reverses{" "}
        <Link className="link" href={transferHref}>
          {formatCents(amountInCents)} from {toName} to {fromName}
        </Link>
        , which settled <Moment at={settledAt} time={time} format={formatInSentence} />. This creates a
        proposal with balances and checks; nothing moves until you or another owner or co-owner approves it.
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
        <Link className={buttonClass({ kind: "quiet" })} href={transferHref}>
          Cancel
        </Link>
        <Button kind="primary" type="submit" busy={isBusy}>
          {isBusy ? "Proposing" : "Propose moving it back"}
        </Button>
      </div>
    </form>
  );
}
