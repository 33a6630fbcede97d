import type { Metadata } from "next";
import { DifferencePage } from "@/app/accounts/reconciliation/[id]/_components/difference-page";
import { askedId, memberPage } from "@/app/member-page";
import { differenceHref } from "@/lib/contract/hrefs";
import { readDifference } from "@/lib/views/reconciliation/read-difference";

export const metadata: Metadata = { title: "Difference" };

export default memberPage({
  search: askedId,
  at: differenceHref,
  current: "ACCOUNTS",
  load: readDifference,
  show: ({ view }) => <DifferencePage view={view} />,
});
