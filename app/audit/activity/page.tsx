import type { Metadata } from "next";
import { ActivityPage } from "@/app/audit/activity/_components/activity-page";
import { requireMember } from "@/app/auth/member";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { shellOf, timeOf } from "@/app/page-setting";
import { renderSavedFilters } from "@/app/saved-filters/render-saved-filters";
import { Shell } from "@/components/shell/shell";
import { activityHref } from "@/lib/contract/search/list-search";
import { activityPlaceSchema, activitySearchSchema } from "@/lib/contract/search/search-schemas";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listActivity } from "@/lib/views/activity/list-activity";

export const metadata: Metadata = { title: "Activity" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** What people did; the filters are in the URL. */
export default async function ActivityRoute({ searchParams }: Props) {
  const query = await searchParams;
  dropEmptyParameters("/audit/activity", query);
  const search = activitySearchSchema.parse(query);
  const place = activityPlaceSchema.parse(query);
  const member = await requireMember(activityHref(search, place));
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell, saved] = await Promise.all([
    listActivity({ services, context, time: timeOf(member, context) }, search, place),
    shellOf(member, context),
    renderSavedFilters(context, "ACTIVITY", activityHref(search)),
  ]);
  return (
    <Shell view={shell} current="AUDIT">
      <ActivityPage view={view} saved={saved} />
    </Shell>
  );
}
