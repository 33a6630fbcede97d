import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { HookPage } from "@/app/rules/[id]/hook/_components/hook-page";
import { readHookPage } from "@/lib/views/rules/read-hook-page";

export const metadata: Metadata = { title: "Start from a webhook" };

export default memberPage({
  search: askedId,
  at: (id) => `/rules/${id}/hook`,
  current: "RULES",
  load: readHookPage,
  show: ({ view }) => <HookPage view={view} />,
});
