import type { Metadata } from "next";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { memberPage } from "@/app/member-page";
import { RulesList } from "@/app/rules/_components/rules-list";
import { rulesHref } from "@/lib/contract/search/list-search";
import { rulesSearchSchema } from "@/lib/contract/search/search-schemas";
import { readRulesPage } from "@/lib/views/rules/read-rules-page";

export const metadata: Metadata = { title: "Rules" };

/** Every rule. Search and page are in the URL. */
export default memberPage({
  search: (asked) => {
    dropEmptyParameters("/rules", asked);
    return rulesSearchSchema.parse(asked);
  },
  at: rulesHref,
  current: "RULES",
  load: readRulesPage,
  show: ({ view }) => <RulesList view={view} />,
});
