import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { AskedChangePage } from "@/app/settings/approvals/changes/[id]/_components/asked-change-page";
import { Acting } from "@/components/act/acting";
import { askedChangeHref, POLICY_HREF } from "@/lib/contract/hrefs";
import { readAskedChangePage } from "@/lib/views/policies/read-asked-change";

export const metadata: Metadata = { title: "Change to sign" };

/** One question: what would change, whose signatures it has, and the reader's own. */
export default memberPage({
  search: askedId,
  at: askedChangeHref,
  current: "SETTINGS",
  load: readAskedChangePage,
  back: () => ({ href: POLICY_HREF, label: "Who must approve" }),
  show: ({ view }) => (
    <Acting>
      <AskedChangePage view={view} />
    </Acting>
  ),
});
