import type { Metadata } from "next";
import { NarrowMandate } from "@/app/mandates/[id]/_components/narrow-mandate";
import { askedId, memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { narrowMandateHref } from "@/lib/contract/hrefs";
import { readNarrowMandate } from "@/lib/views/mandates/read-mandate-form";

export const metadata: Metadata = { title: "Narrow a mandate" };

export default memberPage({
  search: askedId,
  at: narrowMandateHref,
  current: "API_KEYS",
  load: ({ member, ...reading }, id) =>
    readNarrowMandate({ ...reading, time: organizationTimeOf(member, reading.context) }, id),
  show: ({ view }) => <NarrowMandate view={view} />,
});
