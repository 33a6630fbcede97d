import type { Metadata } from "next";
import { ConnectionPage } from "@/app/connections/[id]/_components/connection-page";
import { askedId, memberPage } from "@/app/member-page";
import { connectionHref } from "@/lib/contract/hrefs";
import { getRuntime } from "@/lib/next/runtime";
import { readConnectionPage } from "@/lib/views/connections/read-connection-page";

export const metadata: Metadata = { title: "Connection" };

export default memberPage({
  search: askedId,
  at: connectionHref,
  current: "ACCOUNTS",
  load: (reading, id) => readConnectionPage(reading, getRuntime().aggregator, id),
  show: ({ view, time }) => <ConnectionPage view={view} time={time} />,
});
