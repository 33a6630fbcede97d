import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { MoveBackForm } from "@/app/transfers/[id]/move-back/_components/move-back-form";
import { Acting } from "@/components/act/acting";
import { FocusFrame } from "@/components/shell/focus-frame";
import { movementHref } from "@/lib/contract/search/movement-search";
import { findSettledTransfer } from "@/lib/core/approvals/propose-move-back";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Move it back" };

/** Prefilled to reverse a settled transfer; creates an ordinary proposal. */
export default async function MoveBackPage({ params }: { params: Promise<{ id: string }> }) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(`/transfers/${id.data}/move-back`);
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [settled, shell] = await Promise.all([
    findSettledTransfer(services, context, id.data),
    shellOf(member, context),
  ]);
  if (!settled || !mayDecide(member.actor)) notFound();
  // A rule's transfer has no proposal.
  const transferHref = movementHref("TRANSFERS", settled.id);
  return (
    <FocusFrame view={shell} back={{ href: transferHref, label: "The transfer", waitingCount: 0 }}>
      <Acting>
        <MoveBackForm
          amountInCents={settled.amountInCents}
          fromName={settled.destinationName}
          toName={settled.sourceName}
          settledAt={settled.settledAt.toISOString()}
          transferHref={transferHref}
          time={timeOf(member, context)}
          transferId={settled.id}
        />
      </Acting>
    </FocusFrame>
  );
}
