import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { Receipt } from "@/app/transfers/[id]/receipt/_components/receipt";
import { getRuntime } from "@/lib/next/runtime";
import { readReceipt } from "@/lib/views/movements/read-transfer-detail";

export const metadata: Metadata = { title: "Receipt" };

export default memberPage({
  search: askedId,
  at: (id) => `/transfers/${id}/receipt`,
  current: "MOVEMENTS",
  load: ({ member, ...reading }, id) =>
    readReceipt({ ...reading, time: organizationTimeOf(member, reading.context) }, id, {
      organizationName: member.organization.name,
      isSandbox: getRuntime().isSandbox,
    }),
  show: ({ view }) => <Receipt view={view} />,
});
