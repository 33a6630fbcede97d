import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { askedId, memberPage } from "@/app/member-page";
import { PausedPage } from "@/app/rules/[id]/paused/_components/paused-page";
import { ruleHref } from "@/lib/contract/hrefs";
import { hasRule } from "@/lib/views/rules/read-hook-page";
import { readPausedPage } from "@/lib/views/rules/read-paused-page";

export const metadata: Metadata = { title: "Paused" };

export default memberPage({
  search: askedId,
  at: (id) => `${ruleHref(id)}/paused`,
  current: "RULES",
  load: async (reading, id) => {
    const view = await readPausedPage(reading, id);
    // Someone resumed it since the link was shown.
    if (!view && (await hasRule(reading.services.pool, reading.context.organizationId, id)))
      redirect(ruleHref(id));
    return view;
  },
  show: ({ view }) => <PausedPage view={view} />,
});
