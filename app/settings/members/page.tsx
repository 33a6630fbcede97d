import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { realTimeOf } from "@/app/page-setting";
import { MembersPage } from "@/app/settings/members/_components/members-page";
import { listMembers } from "@/lib/views/members/list-members";

export const metadata: Metadata = { title: "Members" };

export default memberPage({
  at: "/settings/members",
  current: "MEMBERS",
  load: ({ member, ...reading }) =>
    listMembers(
      { ...reading, time: realTimeOf(reading.services, member) },
      { organizationName: member.organization.name },
    ),
  show: ({ view }) => <MembersPage view={view} />,
});
