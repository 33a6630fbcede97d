import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { BatchPage } from "@/app/_components/batch-page";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { ApprovalPage } from "@/components/parts/approvals/approval-page";
import { FocusFrame } from "@/components/shell/focus-frame";
import { loweredAmountSchema } from "@/lib/contract/search/lowered-amount";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { type ApprovalView, getApproval } from "@/lib/views/approvals/get-approval";
import { getBatchApproval } from "@/lib/views/approvals/get-batch-approval";
import { readSuggestion } from "@/lib/views/mandates/read-suggestion";
import { DECISION_PARAMETER } from "@/lib/words/messages/push";

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

// The layout's title template does not apply to the page beside it.
export const metadata: Metadata = { title: "Approval · Sluice" };

/**
 * The target of approval links: `/?approvalTransferId=<id>`. Opening it decides nothing, so mail scanners and link
 * previews may open it; `&decision=deny` opens its dialog, as a notification does, and `&amountInCents=` shows what approving less would do. Without the parameter, next.config.mjs serves the overview: a separate page, which keeps this
 * one small for phones.
 */
export default async function Home({ searchParams }: Props) {
  const { approvalTransferId, [DECISION_PARAMETER]: decision, amountInCents } = await searchParams;
  const proposalId = z.uuid().safeParse(approvalTransferId);
  if (!proposalId.success) notFound();
  // Reads in the proposal's organization, whichever the session shows; the session does not change.
  const opensDenial = decision === "deny";
  const href = proposalHref(proposalId.data);
  const member = await requireMember(opensDenial ? `${href}&${DECISION_PARAMETER}=deny` : href);
  const less = loweredAmountSchema.parse(amountInCents);
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const time = timeOf(member, context);
  const [batch, view, shell] = await Promise.all([
    getBatchApproval({ services, context, time }, proposalId.data),
    getApproval({ services, context, time }, proposalId.data, less),
    shellOf(member, context, proposalId.data),
  ]);
  // A line of a batch is decided with the others.
  const shown = batch ?? view;
  if (!shown) notFound();
  const suggestion = isSuggestible(view, batch !== null)
    ? await readSuggestion({ services, context, time }, view.id)
    : null;
  const setting = {
    inboxHref: "/approvals",
    refreshPath: `/approvals/${shown.id}/version${less === null ? "" : `?amountInCents=${less}`}`,
    opensDenial,
  };
  return (
    <FocusFrame
      view={shell}
      back={{ href: "/approvals", label: "Approvals", waitingCount: shell.waitingCount }}
    >
      {batch ? <BatchPage view={batch} {...setting} /> : null}
      {view && !batch ? (
        <ApprovalPage view={view} {...setting} isLowering={less !== null} suggestion={suggestion} />
      ) : null}
    </FocusFrame>
  );
}

/** A waiting transfer of a key: an assistant never moves anything by itself. */
function isSuggestible(view: ApprovalView | null, isBatch: boolean): view is ApprovalView {
  return (
    view?.kind === "TRANSFER" && view.status === "WAITING" && view.requester.kind === "API_KEY" && !isBatch
  );
}
