import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { realTimeOf, shellOf } from "@/app/page-setting";
import { MembersPage } from "@/app/settings/members/_components/members-page";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listMembers } from "@/lib/views/members/list-members";

export const metadata: Metadata = { title: "Members" };

export default async function Page() {
  const member = await requireMember("/settings/members");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    listMembers(
      { services, context, time: realTimeOf(services, member) },
      { organizationName: member.organization.name },
    ),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="MEMBERS">
      <MembersPage view={view} />
    </Shell>
  );
}
