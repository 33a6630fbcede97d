import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import { changeTimeZone, renameOrganization, setNewPodFloor } from "@/app/settings/actions";
import { OrganizationSection } from "@/components/settings/organization-section";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readOrganization } from "@/lib/views/organization/read-organization";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  const member = await requireMember("/settings");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readOrganization(services, context, timeOf(member, context)),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} actions={shellActions} current="SETTINGS">
      <SettingsFrame current="ORGANIZATION">
        <OrganizationSection view={view} actions={{ renameOrganization, changeTimeZone, setNewPodFloor }} />
      </SettingsFrame>
    </Shell>
  );
}
