import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { PublishPage } from "@/app/settings/approvals/publish/_components/publish-page";
import { POLICY_HREF, POLICY_PUBLISH_HREF } from "@/lib/contract/hrefs";
import { readPolicyPublication } from "@/lib/views/policies/read-policy-page";

export const metadata: Metadata = { title: "Publish who must approve" };

export default memberPage({
  at: POLICY_PUBLISH_HREF,
  current: "SETTINGS",
  load: async ({ member, ...reading }) => {
    const time = organizationTimeOf(member, reading.context);
    // The last signature puts the version in force: that page shows it.
    return (await readPolicyPublication({ ...reading, time })) ?? redirect(POLICY_HREF);
  },
  show: ({ view }) => <PublishPage view={view} />,
});
