import { Amount } from "@/components/money/amount";
import type { DecisionMoves } from "@/components/parts/approvals/decision-island";
import { formatDeadlineInSentence } from "@/components/time/format-instant";
import { DefinitionList } from "@/components/ui/definition-list";
import type { CheckView } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalView, TransferApprovalView } from "@/lib/views/approvals/get-approval";

/** What approving would move. @param followsInCents what rules would move afterwards; null when none is triggered */
export function decisionMoves(
  view: Pick<ApprovalView, "kind" | "settlesOver" | "amountInCents" | "checks" | "time"> &
    Partial<Pick<ApprovalView, "documents">> &
    Partial<Pick<TransferApprovalView, "requestedAmountInCents">>,
  followsInCents: number | null,
): DecisionMoves {
  const { amountInCents, requestedAmountInCents = null, documents = [] } = view;
  const words = movesWords(view);
  return {
    list: (
      <DefinitionList columns="values" gap="close" className="mb-4 border-y border-rule py-3">
        {amountInCents === null || requestedAmountInCents === null ? null : (
          <>
            <dt>Proposed</dt>
            <dd>
              <Amount cents={requestedAmountInCents} />
            </dd>
            <dt>Does not move</dt>
            <dd>
              <Amount cents={requestedAmountInCents - amountInCents} />
            </dd>
          </>
        )}
        <dt>{words}</dt>
        <dd>
          {amountInCents === null ? (
            <span className="text-ink-3">Nothing</span>
          ) : (
            <Amount cents={amountInCents} />
          )}
        </dd>
        {followsInCents === null ? null : (
          <>
            <dt>Moved by rules afterwards</dt>
            <dd>
              <Amount cents={followsInCents} />
            </dd>
          </>
        )}
        {documents.length === 0 ? null : (
          <>
            <dt>{documents.length === 1 ? "Document" : "Documents"}</dt>
            <dd className="max-w-40 truncate" title={documents.map(({ name }) => name).join(", ")}>
              {documents.length === 1 ? documents[0]?.name : documents.length}
            </dd>
          </>
        )}
      </DefinitionList>
    ),
    line:
      amountInCents === null
        ? "Can’t be approved."
        : `${formatCents(amountInCents)} ${lowerFirst(words)}.${countedDocuments(documents.length)}`,
    amount: amountInCents ? formatCents(amountInCents) : null,
  };
}

/** ` 1 document.`, or nothing. Number and noun stay on one line of the bar. */
function countedDocuments(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " 1\u00a0document." : ` ${count}\u00a0documents.`;
}

const lowerFirst = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);

/**
 * When approved money moves: `Moves immediately`. Over a bank only the order goes, in the bank's next window or when its
 * payee has cooled off.
 */
export function movesWords(view: Pick<ApprovalView, "kind" | "settlesOver" | "checks" | "time">): string {
  if (view.settlesOver === "BOOKS") return "Moves immediately";
  if (view.kind === "RULE_RUN") return "Moves, some of it over the bank";
  const until = waitsUntil(view.checks);
  return until === null
    ? "Goes to the bank in its next window"
    : `Goes to the bank ${formatDeadlineInSentence(until, view.time)}`;
}

/** When the payee of a transfer has cooled off, if the transfer waits for that. */
export function waitsUntil(checks: readonly CheckView[]): string | null {
  for (const check of checks) {
    if (check.kind !== "PAYEE") continue;
    return check.payees.find(({ waits }) => waits)?.coolsOffUntil ?? null;
  }
  return null;
}
