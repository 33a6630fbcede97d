import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { MoveBackForm } from "@/app/transfers/[id]/move-back/_components/move-back-form";
import { Acting } from "@/components/act/acting";
import { movementHref } from "@/lib/contract/search/movement-search";
import { findSettledTransfer } from "@/lib/core/approvals/propose-move-back";
import { mayDecide } from "@/lib/core/shared/permits";

export const metadata: Metadata = { title: "Move it back" };

/** Prefilled to reverse a settled transfer; creates an ordinary proposal. */
export default memberPage({
  search: askedId,
  at: (id) => `/transfers/${id}/move-back`,
  current: null,
  load: ({ services, context }, id) =>
    mayDecide(context.actor) ? findSettledTransfer(services, context, id) : null,
  // A rule's transfer has no proposal.
  back: ({ id }) => ({ href: movementHref("TRANSFERS", id), label: "The transfer" }),
  show: ({ view: settled, time }) => (
    <Acting>
      <MoveBackForm
        amountInCents={settled.amountInCents}
        fromName={settled.destinationName}
        toName={settled.sourceName}
        settledAt={settled.settledAt.toISOString()}
        transferHref={movementHref("TRANSFERS", settled.id)}
        time={time}
        transferId={settled.id}
      />
    </Acting>
  ),
});
