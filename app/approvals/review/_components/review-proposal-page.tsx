import { Outlooks } from "@/app/approvals/_components/outlooks";
import { marksWords } from "@/app/approvals/_components/review-words";
import { MarkPanel } from "@/app/approvals/review/_components/mark-panel";
import { ReviewBalances } from "@/app/approvals/review/_components/review-balances";
import { ReviewHead } from "@/app/approvals/review/_components/review-head";
import { ReviewList } from "@/app/approvals/review/_components/review-list";
import { WatchVersion } from "@/components/act/watch-version";
import { SideColumn } from "@/components/layout/side-column";
import { APPROVAL_COLUMNS, ApprovalBody } from "@/components/parts/approvals/approval-page";
import { blockedBecause } from "@/components/parts/approvals/check-sentence";
import { formatInSentence } from "@/components/time/format-instant";
import { LINK } from "@/components/ui/text-styles";
import { lessHref } from "@/lib/contract/search/less-href";
import { queueHref, REVIEW_END, reviewHref } from "@/lib/contract/search/queue-search";
import type { ApprovalView } from "@/lib/views/approvals/get-approval";
import type { ReviewProposalView } from "@/lib/views/approvals/read-review";

const POLL_MS = 10_000;

/** One proposal of a review: the approval page, with marks where the decision is. */
export function ReviewProposalPage({ view }: { view: ReviewProposalView }) {
  const { steps, index, approval, search, outlooks, markedBeforeCount } = view;
  const step = steps[index];
  const less = lessOf(approval);
  const place = `${index + 1} of ${steps.length}`;
  const hrefAt = (at: number) => {
    const other = steps[at];
    return other ? reviewHref(search, other.id) : reviewHref(search, REVIEW_END);
  };
  return (
    <>
      <ReviewHead
        place={place}
        marks={marksWords(steps, steps.filter(({ isOver }) => isOver).length)}
        steps={steps}
        currentId={approval.id}
      />
      <div className={APPROVAL_COLUMNS}>
        <ApprovalBody
          view={approval}
          inboxHref={queueHref(search)}
          isTimeLeftShown
          less={less}
          willHappen={
            markedBeforeCount === 0 && outlooks.length === 0
              ? undefined
              : {
                  fact:
                    markedBeforeCount === 0
                      ? "If you approve"
                      : `With the ${markedBeforeCount} marked before it`,
                  content: (
                    <>
                      <ReviewBalances
                        balances={view.balances}
                        changeLabel={approval.kind === "TRANSFER" ? "This transfer" : "This run"}
                      />
                      {outlooks.length > 0 ? (
                        <Outlooks
                          outlooks={outlooks}
                          when={whenMarked(view)}
                          whenShort="What no longer fits drops out before you confirm"
                        />
                      ) : null}
                    </>
                  ),
                }
          }
        />
        <SideColumn as="div" contentLayout="sm:top-24">
          <MarkPanel
            proposalId={approval.id}
            digest={approval.digest}
            mark={view.changesSinceMarked ? null : (step?.mark ?? null)}
            place={place}
            previousHref={index === 0 ? null : hrefAt(index - 1)}
            nextHref={hrefAt(index + 1)}
            blockedBecause={blockedBecause(approval)}
            documentHref={approval.documents[0]?.href ?? null}
            overBecause={overWords(approval)}
            changes={view.changesSinceMarked}
            less={less}
          />
          <ReviewList search={search} steps={steps} currentId={approval.id} />
        </SideColumn>
      </div>
      {approval.status === "WAITING" ? (
        <WatchVersion
          path={`/approvals/${approval.id}/version`}
          version={approval.version}
          intervalMs={POLL_MS}
        />
      ) : null}
    </>
  );
}

/** A lower amount is decided on the page of its proposal, not in a review. Null where there is none. */
function lessOf(view: ApprovalView) {
  if (view.kind !== "TRANSFER" || view.status !== "WAITING" || view.reverses) return null;
  return (
    <a className={`${LINK} text-sm`} href={lessHref(`/?approvalTransferId=${view.id}`, view.amountInCents)}>
      Approve less, on its own page
    </a>
  );
}

function whenMarked({ isIncluded, steps, index }: ReviewProposalView): string {
  return isIncluded && steps[index]?.mark !== "APPROVE"
    ? "With what you marked, and this one"
    : "With what you marked";
}

/** Null while it can be marked. */
function overWords({ status, decision, time }: ApprovalView): string | null {
  if (status === "WAITING") return null;
  if (!decision) return "It no longer waits, so there is nothing to mark.";
  const who = decision.byViewer ? "You" : decision.byName;
  const did = decision.kind === "APPROVED" ? "approved" : "denied";
  return `${who} ${did} it ${formatInSentence(decision.at, time)}. There is nothing left to mark.`;
}
