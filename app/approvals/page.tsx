import type { Metadata } from "next";
import { Inbox } from "@/app/approvals/_components/inbox";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { memberPage } from "@/app/member-page";
import { renderSavedFilters } from "@/app/saved-filters/render-saved-filters";
import { approvalsHref } from "@/lib/contract/search/list-search";
import { queueHref, queuePairs } from "@/lib/contract/search/queue-search";
import {
  approvalPlaceSchema,
  approvalSearchSchema,
  queueSearchSchema,
} from "@/lib/contract/search/search-schemas";
import { listProposals } from "@/lib/views/approvals/list-proposals";

export const metadata: Metadata = { title: "Approvals" };

export default memberPage({
  search: (asked) => {
    dropEmptyParameters("/approvals", asked);
    return {
      search: approvalSearchSchema.parse(asked),
      place: approvalPlaceSchema.parse(asked),
      queue: queueSearchSchema.parse(asked),
    };
  },
  at: ({ search, place, queue }) =>
    queuePairs(queue).length > 0 ? queueHref(queue) : approvalsHref(search, place),
  current: "APPROVALS",
  load: async (reading, { search, place, queue }) => {
    const [proposals, saved] = await Promise.all([
      listProposals(reading, search, place, queue),
      renderSavedFilters(reading.context, "APPROVALS", approvalsHref(search)),
    ]);
    return { proposals, saved };
  },
  show: ({ view: { proposals, saved } }) => <Inbox view={proposals} saved={saved} />,
});
