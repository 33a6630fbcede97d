import type { Metadata } from "next";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import { Inbox } from "@/components/approvals/inbox";
import { Shell } from "@/components/shell/shell";
import { listProposals } from "@/lib/core/approvals/list-proposals";
import { memberContext } from "@/lib/core/members/member-context";
import { getRuntime } from "@/lib/core/runtime";

export const metadata: Metadata = { title: "Approvals" };

const searchSchema = z.object({
  decided: z.enum(["approved", "denied", "expired"]).optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(10_000).catch(1),
});

interface Props {
  searchParams: Promise<Record<string, string | string[]>>;
}

const FILTERS = { approved: "APPROVED", denied: "DENIED", expired: "EXPIRED" } as const;

/** What waits, and what was decided. Filter and page live in the address. */
export default async function ApprovalsPage({ searchParams }: Props) {
  const member = await requireMember("/approvals");
  const context = memberContext(getRuntime().services, member);
  const { decided, page } = searchSchema.parse(await searchParams);
  const filter = decided ? FILTERS[decided] : "ALL";
  const [view, shell] = await Promise.all([
    listProposals(getRuntime().services, context, filter, page, timeOf(member, context)),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} actions={shellActions} current="APPROVALS">
      <Inbox view={view} />
    </Shell>
  );
}
