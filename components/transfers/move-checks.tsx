"use client";

import { Ban, Check, Flag } from "lucide-react";
import type { ReactNode } from "react";
import { checkSentence } from "@/components/approvals/check-sentence";
import type { BalanceRefresh } from "@/components/transfers/use-balance-refresh";
import { Button } from "@/components/ui/button";
import type { CheckOutcome } from "@/lib/contract/views/approval-view";
import type { MoveAccountView, MovePreview } from "@/lib/contract/views/move-view";

const DAY_MS = 86_400_000;

/** What was looked at, beside the button. Unusual facts are flagged in ink, never in amber or red. */
export function MoveChecks({
  preview,
  source,
  balanceRefresh,
}: {
  preview: MovePreview;
  source: MoveAccountView | undefined;
  /** Null where there is no bank to ask. */
  balanceRefresh: BalanceRefresh | null;
}) {
  const setting = { kind: "TRANSFER" as const, ...preview };
  const age = source ? balanceAge(source, preview) : null;
  return (
    <section aria-labelledby="move-checks">
      <h2 className="h3" id="move-checks">
        Checks
      </h2>
      <ul className="checks">
        {preview.checks.map((check) => {
          const { title, text } = checkSentence(check, setting);
          return <CheckItem key={check.kind} outcome={check.outcome} title={title} text={text} />;
        })}
        {age ? (
          <CheckItem outcome="LOOK" {...age}>
            {balanceRefresh ? <RefreshBalance {...balanceRefresh} /> : null}
          </CheckItem>
        ) : null}
        {!age && balanceRefresh?.isAnswered ? (
          <CheckItem outcome="CLEAR" title="Its bank has just told the balance" text="" />
        ) : null}
      </ul>
    </section>
  );
}

interface CheckItemProps {
  outcome: CheckOutcome;
  title: string;
  text: string;
  /** What can be done about it. */
  children?: ReactNode;
}

function CheckItem({ outcome, title, text, children }: CheckItemProps) {
  return (
    <li>
      <OutcomeIcon outcome={outcome} />
      <div>
        <b>{title}</b>
        {outcome === "CLEAR" ? null : <p>{text}</p>}
        {children}
      </div>
    </li>
  );
}

function OutcomeIcon({ outcome }: { outcome: CheckOutcome }) {
  if (outcome === "CLEAR") return <Check className="ic ok" role="img" aria-label="Clear" />;
  if (outcome === "LOOK") return <Flag className="ic look" role="img" aria-label="Look at this" />;
  return <Ban className="ic look" role="img" aria-label="In the way" />;
}

function RefreshBalance({ isAsking, message, ask }: BalanceRefresh) {
  return (
    <>
      <Button kind="outlined" size="small" busy={isAsking} onClick={ask}>
        {isAsking ? "Asking its bank" : "Refresh the balance"}
      </Button>
      <p role="status">{message}</p>
    </>
  );
}

/** Of an account outside: its bank told the balance a while ago. */
function balanceAge(
  { name, balanceAt }: MoveAccountView,
  { time }: MovePreview,
): Pick<CheckItemProps, "title" | "text"> | null {
  if (balanceAt === null) return null;
  const days = Math.floor((Date.parse(time.nowAt) - Date.parse(balanceAt)) / DAY_MS);
  if (days < 1) return null;
  return {
    title: `The balance is ${days === 1 ? "a day" : `${days} days`} old`,
    text: `If ${name} holds less by now, its bank may send the money back.`,
  };
}
