import type { Metadata } from "next";
import { Inbox } from "@/app/approvals/_components/inbox";
import { requireMember } from "@/app/auth/member";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { shellOf, timeOf } from "@/app/page-setting";
import { renderSavedFilters } from "@/app/saved-filters/render-saved-filters";
import { Shell } from "@/components/shell/shell";
import { approvalsHref } from "@/lib/contract/search/list-search";
import { approvalPlaceSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listProposals } from "@/lib/views/approvals/list-proposals";

export const metadata: Metadata = { title: "Approvals" };

interface Props {
  searchParams: Promise<Record<string, string | string[]>>;
}

export default async function ApprovalsPage({ searchParams }: Props) {
  const query = await searchParams;
  dropEmptyParameters("/approvals", query);
  const search = approvalSearchSchema.parse(query);
  const place = approvalPlaceSchema.parse(query);
  const member = await requireMember(approvalsHref(search, place));
  const context = memberContext(getRuntime().services, member);
  const [view, shell, saved] = await Promise.all([
    listProposals({ services: getRuntime().services, context, time: timeOf(member, context) }, search, place),
    shellOf(member, context),
    renderSavedFilters(context, "APPROVALS", approvalsHref(search)),
  ]);
  return (
    <Shell view={shell} current="APPROVALS">
      <Inbox view={view} saved={saved} />
    </Shell>
  );
}
