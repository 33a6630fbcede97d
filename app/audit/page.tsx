import type { Metadata } from "next";
import { AuditPage } from "@/app/audit/_components/audit-page";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { memberPage } from "@/app/member-page";
import { renderSavedFilters } from "@/app/saved-filters/render-saved-filters";
import { auditHref } from "@/lib/contract/search/audit-search";
import { readAuditPlace, readAuditSearch } from "@/lib/core/audit/audit-search";
import { readAuditPage } from "@/lib/views/audit/read-audit-page";

export const metadata: Metadata = { title: "Audit log" };

/** Filters and the open entry are in the URL. */
export default memberPage({
  search: (asked) => {
    dropEmptyParameters("/audit", asked);
    return { search: readAuditSearch(asked), place: readAuditPlace(asked) };
  },
  at: ({ search, place }) => auditHref(search, place),
  current: "AUDIT",
  load: async ({ member, ...reading }, { search, place }) => {
    const [audit, saved] = await Promise.all([
      readAuditPage(reading, { search, place, timeZone: member.organization.timeZone }),
      renderSavedFilters(reading.context, "REQUESTS", auditHref(search)),
    ]);
    return { audit, saved };
  },
  show: ({ view: { audit, saved }, search: { search, place }, services, time }) => (
    <AuditPage
      view={audit}
      saved={saved}
      time={time}
      link={`${services.appUrl}${auditHref(search, place)}`}
    />
  ),
});
