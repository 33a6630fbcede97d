import type { Metadata } from "next";
import { ActivityPage } from "@/app/audit/activity/_components/activity-page";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { memberPage } from "@/app/member-page";
import { renderSavedFilters } from "@/app/saved-filters/render-saved-filters";
import { activityHref } from "@/lib/contract/search/list-search";
import { activityPlaceSchema, activitySearchSchema } from "@/lib/contract/search/search-schemas";
import { listActivity } from "@/lib/views/activity/list-activity";

export const metadata: Metadata = { title: "Activity" };

/** What people did; the filters are in the URL. */
export default memberPage({
  search: (asked) => {
    dropEmptyParameters("/audit/activity", asked);
    return { search: activitySearchSchema.parse(asked), place: activityPlaceSchema.parse(asked) };
  },
  at: ({ search, place }) => activityHref(search, place),
  current: "AUDIT",
  load: async (reading, { search, place }) => {
    const [activity, saved] = await Promise.all([
      listActivity(reading, search, place),
      renderSavedFilters(reading.context, "ACTIVITY", activityHref(search)),
    ]);
    return { activity, saved };
  },
  show: ({ view: { activity, saved } }) => <ActivityPage view={activity} saved={saved} />,
});
