import { CircleCheck, Clock, TriangleAlert } from "lucide-react";
import { formatInSentence } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import { RECONCILIATION_HREF } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import type { BankAgreementView } from "@/lib/views/reconciliation/read-reconciliation";

interface BankAgreementProps {
  agreement: BankAgreementView | null;
  time: TimeContext;
}

/** One line below the total of Accounts: whether the bank holds as much as the pods, and when that was seen. */
export function BankAgreement({ agreement, time }: BankAgreementProps) {
  return (
    <p className="flex items-start gap-2 mt-1.5 text-ink-2 [&>svg]:flex-none [&>svg]:size-4 [&>svg]:mt-0.5 print:hidden">
      {agreement === null ? <Clock aria-hidden="true" /> : agreementIcon(agreement)}
      <span>
        {agreement === null ? (
          "Not compared with the bank yet."
        ) : (
          <>
            {agreementWords(agreement)} Compared{" "}
            <Moment at={agreement.reconciledAt} time={time} format={formatInSentence} />.
          </>
        )}{" "}
        <Link className={LINK} href={RECONCILIATION_HREF}>
          Reconciliation
        </Link>
      </span>
    </p>
  );
}

function agreementIcon({ openCount, unexplainedInCents }: BankAgreementView) {
  return openCount > 0 || unexplainedInCents !== 0 ? (
    <TriangleAlert aria-hidden="true" />
  ) : (
    <CircleCheck className="text-green" aria-hidden="true" />
  );
}

/** `Pods and income sources add up to the bank’s balance.` */
function agreementWords({
  bankInCents,
  booksInCents,
  expectedInCents,
  openCount,
  unexplainedInCents,
}: BankAgreementView): string {
  if (openCount > 0) {
    return `Bank ${formatCents(bankInCents)}, books ${formatCents(booksInCents)}: ${openCount} ${openCount === 1 ? "difference" : "differences"}.`;
  }
  if (unexplainedInCents !== 0) {
    return `Bank ${formatCents(bankInCents)}, books ${formatCents(booksInCents)}: ${formatCents(Math.abs(unexplainedInCents))} unexplained.`;
  }
  return expectedInCents === 0
    ? "Pods and income sources add up to the bank’s balance."
    : `Pods and income sources add up to the bank’s balance, except for ${formatCents(Math.abs(expectedInCents))} on its way.`;
}
