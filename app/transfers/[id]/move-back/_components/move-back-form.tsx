"use client";

import { moveBack } from "@/app/transfers/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { QuestionHeading } from "@/components/parts/approvals/question-heading";
import { formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Button, buttonClass } from "@/components/ui/button";
import { TextareaField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { LEDE, LINK } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";

interface MoveBackFormProps {
  transferId: string;
  amountInCents: number;
  fromName: string;
  toName: string;
  settledAt: string;
  /** The page of the transfer to reverse. */
  transferHref: string;
  time: TimeContext;
}

// A second proposal of the same reversal opens the first.
const UNKNOWN = outcomeUnknown(
  "we don’t know whether it was proposed. Try again: nothing is proposed twice.",
);

/** Proposes a transfer that reverses a settled one. */
export function MoveBackForm(props: MoveBackFormProps) {
  const { amountInCents, fromName, toName, settledAt, transferHref, time } = props;
  const proposing = useAction(moveBack, { whenLost: UNKNOWN, isRepeatable: true, afterwards: null });
  return (
    <SendForm
      browserChecks
      className="grid gap-5 max-w-160"
      isBusy={proposing.isBusy}
      onSend={(form) => proposing.run(new FormData(form))}
    >
      <input type="hidden" name="transferId" value={props.transferId} />
      <QuestionHeading
        before="Move"
        amountInCents={amountInCents}
        after={`back from ${fromName} to ${toName}?`}
      />
      <p className={LEDE}>
        Reverses{" "}
        <Link className={LINK} href={transferHref}>
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
      <RefusalNote message={proposing.message} />
      <div>
        <Link className={buttonClass({ kind: "quiet" })} href={transferHref}>
          Cancel
        </Link>
        <Button kind="primary" type="submit" busy={proposing.isBusy}>
          {proposing.isBusy ? "Proposing" : "Propose moving it back"}
        </Button>
      </div>
    </SendForm>
  );
}
