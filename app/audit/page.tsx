import type { Metadata } from "next";
import { AuditPage } from "@/app/audit/_components/audit-page";
import { requireMember } from "@/app/auth/member";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { shellOf, timeOf } from "@/app/page-setting";
import { renderSavedFilters } from "@/app/saved-filters/render-saved-filters";
import { Shell } from "@/components/shell/shell";
import { auditHref } from "@/lib/contract/search/audit-search";
import { readAuditPlace, readAuditSearch } from "@/lib/core/audit/audit-search";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readAuditPage } from "@/lib/views/audit/read-audit-page";

export const metadata: Metadata = { title: "Audit log" };

/** Filters and the open entry are in the URL. */
export default async function AuditRoute({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const parameters = await searchParams;
  dropEmptyParameters("/audit", parameters);
  const [search, place] = [readAuditSearch(parameters), readAuditPlace(parameters)];
  const href = auditHref(search, place);
  const member = await requireMember(href);
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const { timeZone } = member.organization;
  const [view, shell, saved] = await Promise.all([
    readAuditPage({ services, context }, { search, place, timeZone }),
    shellOf(member, context),
    renderSavedFilters(context, "REQUESTS", auditHref(search)),
  ]);
  return (
    <Shell view={shell} current="AUDIT">
      <AuditPage
        view={view}
        saved={saved}
        time={timeOf(member, context)}
        link={`${services.appUrl}${href}`}
      />
    </Shell>
  );
}
