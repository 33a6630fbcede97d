import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { ReviewEndPage } from "@/app/approvals/review/_components/review-end-page";
import { ReviewProposalPage } from "@/app/approvals/review/_components/review-proposal-page";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { Acting } from "@/components/act/acting";
import { FocusFrame } from "@/components/shell/focus-frame";
import { queueHref, reviewHref } from "@/lib/contract/search/queue-search";
import { queueSearchSchema, reviewPlaceSchema } from "@/lib/contract/search/search-schemas";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readReview } from "@/lib/views/approvals/read-review";

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export const metadata: Metadata = { title: "Review" };

/** What waits, one proposal after the other, each marked; its end confirms all marks at once. Opening it decides nothing. */
export default async function ReviewRoute({ searchParams }: Props) {
  const asked = await searchParams;
  const queue = queueSearchSchema.parse(asked);
  const { at } = reviewPlaceSchema.parse(asked);
  const member = await requireMember(reviewHref(queue, at));
  if (!mayDecide(member.actor)) notFound();
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readReview({ services, context, time: timeOf(member, context) }, queue, at),
    shellOf(member, context),
  ]);
  // Everything that it held was decided or has ended.
  if (!view) redirect(queueHref(queue));
  return (
    <FocusFrame view={shell} back={{ href: queueHref(queue), label: "End review", waitingCount: 0 }}>
      <Acting>
        {view.kind === "END" ? <ReviewEndPage view={view} /> : <ReviewProposalPage view={view} />}
      </Acting>
    </FocusFrame>
  );
}
