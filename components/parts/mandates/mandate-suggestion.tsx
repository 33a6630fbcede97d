import { KEY_NAME, LINK } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { TransferApprovalView } from "@/lib/views/approvals/get-approval";
import type { MandateSuggestionView } from "@/lib/views/mandates/read-suggestion";

interface MandateSuggestionProps {
  suggestion: MandateSuggestionView;
  view: Pick<TransferApprovalView, "requester" | "destination">;
}

/** One signature in place of many more approvals, with the rule that suggests it. A link: it decides nothing. */
export function MandateSuggestion({ suggestion, view: { requester, destination } }: MandateSuggestionProps) {
  const { approvedCount, decidedCount, maximumInCents, monthInCents, href } = suggestion;
  return (
    <div className="mt-5 grid gap-1.5 border-t border-dashed border-rule-strong pt-4 text-ink-2 print:hidden">
      <p className="wrap-anywhere">
        {approvedCount} of {decidedCount} approved on this route at {formatCents(maximumInCents)} or less. Let{" "}
        <span className={KEY_NAME}>{requester.name}</span> {destination.isOutside ? "pay" : "move money to"}{" "}
        {destination.name} by itself, up to {formatCents(monthInCents)} a month?
      </p>
      <p>
        <a className={LINK} href={href}>
          Draft a mandate
        </a>
      </p>
      <p className="mt-0.5 text-sm text-ink-3">
        Suggested because 25 or more were decided in 90 days and at most 1 was denied. Nothing changes until
        you sign it; the draft’s page also switches this off.
      </p>
    </div>
  );
}
