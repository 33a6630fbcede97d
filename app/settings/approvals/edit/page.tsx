import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { PolicyEditor } from "@/app/settings/approvals/edit/_components/policy-editor";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { POLICY_EDIT_HREF, POLICY_HREF } from "@/lib/contract/hrefs";
import { mayDecide } from "@/lib/core/shared/permits";
import { readPolicyEditor } from "@/lib/views/policies/read-policy-page";

export const metadata: Metadata = { title: "Edit who must approve" };

export default memberPage({
  at: POLICY_EDIT_HREF,
  current: "SETTINGS",
  load: ({ member, ...reading }) =>
    readPolicyEditor({ ...reading, time: organizationTimeOf(member, reading.context) }),
  show: ({ view, member }) =>
    mayDecide(member.actor) ? (
      <PolicyEditor key={view.version} view={view} />
    ) : (
      <OwnersOnly what="change who must approve" backHref={POLICY_HREF} />
    ),
});
