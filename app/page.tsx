import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { z } from "zod";
import { beginConfirmation, cancel, decide } from "@/app/approvals/actions";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import { ApprovalPage } from "@/components/approvals/approval-page";
import { OverviewPage } from "@/components/overview/overview-page";
import { FocusFrame } from "@/components/shell/focus-frame";
import { Shell } from "@/components/shell/shell";
import { MAP_DAYS } from "@/lib/contract/views/overview-view";
import { findProposalOrganization } from "@/lib/core/approvals/find-proposal-organization";
import { getApproval } from "@/lib/core/approvals/get-approval";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { memberContext } from "@/lib/core/members/member-context";
import type { CurrentSession } from "@/lib/core/members/read-session";
import { switchOrganization } from "@/lib/core/members/switch-organization";
import { readOverview } from "@/lib/core/overview/read-overview";
import { getRuntime } from "@/lib/core/runtime";

const mapDaysSchema = z.coerce.number().pipe(z.literal(MAP_DAYS)).catch(MAP_DAYS[0]);

interface Props {
  searchParams: Promise<{ approvalTransferId?: string | string[]; days?: string | string[] }>;
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  // The layout's template does not reach the page beside it.
  const { approvalTransferId } = await searchParams;
  return { title: `${approvalTransferId === undefined ? "Overview" : "Approval"} · Sluice` };
}

/** The overview; with `?approvalTransferId=<id>`, the address of approval links. */
export default async function Home({ searchParams }: Props) {
  const { approvalTransferId, days } = await searchParams;
  return approvalTransferId === undefined ? overview(days) : approval(approvalTransferId);
}

async function overview(asked: string | string[] | undefined) {
  const days = mapDaysSchema.parse(asked);
  const member = await requireMember(days === MAP_DAYS[0] ? "/" : `/?days=${days}`);
  const context = memberContext(getRuntime().services, member);
  const [view, shell] = await Promise.all([
    readOverview(getRuntime().services, context, days, timeOf(member, context)),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} actions={shellActions} current="OVERVIEW">
      <OverviewPage view={view} />
    </Shell>
  );
}

/** Opening it shows what is asked and decides nothing, so mail scanners and link previews may open it too. */
async function approval(approvalTransferId: string | string[]) {
  const proposalId = z.uuid().safeParse(approvalTransferId);
  if (!proposalId.success) notFound();
  const href = proposalHref(proposalId.data);
  const member = await requireMember(href);
  await lookAtItsOrganization(member, proposalId.data, href);
  const context = memberContext(getRuntime().services, member);
  const [view, shell] = await Promise.all([
    getApproval(getRuntime().services, context, proposalId.data, timeOf(member, context)),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <FocusFrame
      view={shell}
      actions={shellActions}
      back={{ href: "/approvals", label: "Approvals", waitingCount: shell.waitingCount }}
    >
      <ApprovalPage
        view={view}
        actions={{ beginConfirmation, decide, cancel }}
        refreshPath={`/approvals/${view.id}/version`}
        inboxHref="/approvals"
      />
    </FocusFrame>
  );
}

/** A link may be about another of this member's organizations than the one they looked at last. */
async function lookAtItsOrganization(member: CurrentSession, proposalId: string, href: string) {
  const { services } = getRuntime();
  const organizationId = await findProposalOrganization(services, member.actor, proposalId);
  if (organizationId === null || organizationId === member.organization.id) return;
  await switchOrganization(services, member.session.id, member.actor.id, organizationId);
  redirect(href);
}
