import type { Metadata } from "next";
import { z } from "zod";
import { memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { PolicyPage } from "@/app/settings/approvals/_components/policy-page";
import { POLICY_HREF, policyVersionHref } from "@/lib/contract/hrefs";
import { MAXIMUM_POLICY_VERSION } from "@/lib/contract/policies/publication";
import { readPolicyPage } from "@/lib/views/policies/read-policy-page";

export const metadata: Metadata = { title: "Who must approve" };

const versionSchema = z.coerce.number().int().min(0).max(MAXIMUM_POLICY_VERSION);

export default memberPage({
  search: ({ version }) => ({ version: versionSchema.safeParse(version).data ?? null }),
  at: ({ version }) => (version === null ? POLICY_HREF : policyVersionHref(version)),
  current: "SETTINGS",
  load: ({ member, ...reading }, { version }) =>
    readPolicyPage({ ...reading, time: organizationTimeOf(member, reading.context) }, version),
  show: ({ view }) => <PolicyPage view={view} />,
});
