import type { DecisionMoves } from "@/components/approvals/decision-island";
import { Amount } from "@/components/money/amount";
import { DefinitionList } from "@/components/ui/definition-list";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalView } from "@/lib/contract/views/approval-view";

/** What approving would move. @param followsInCents what rules would move afterwards; null when none is triggered */
export function decisionMoves(
  view: Pick<ApprovalView, "kind" | "settlesOver" | "amountInCents">,
  followsInCents: number | null,
): DecisionMoves {
  const { amountInCents } = view;
  const words = movesWords(view);
  return {
    list: (
      <DefinitionList gap="close" className="mb-4 border-y border-rule py-3">
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
      </DefinitionList>
    ),
    line:
      amountInCents === null ? "Can’t be approved." : `${formatCents(amountInCents)} ${lowerFirst(words)}.`,
    amount: amountInCents ? formatCents(amountInCents) : null,
  };
}

const lowerFirst = (words: string) => words.charAt(0).toLowerCase() + words.slice(1);

/** When approved money moves: `Moves immediately`. Over a bank only the order goes, in the bank's next window. */
export function movesWords({ kind, settlesOver }: Pick<ApprovalView, "kind" | "settlesOver">): string {
  if (settlesOver === "BOOKS") return "Moves immediately";
  return kind === "TRANSFER" ? "Goes to the bank in its next window" : "Moves, some of it over the bank";
}
