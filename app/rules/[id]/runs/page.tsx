import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { shellOf, timeOf } from "@/app/page-setting";
import { RunsList } from "@/app/rules/[id]/_components/runs-list";
import { openRulePage } from "@/app/rules/open-rule-page";
import { Shell } from "@/components/shell/shell";
import { runNowHref } from "@/lib/contract/hrefs";
import { MAXIMUM_PAGE } from "@/lib/contract/limits";
import { getRuntime } from "@/lib/next/runtime";
import { readRunDays } from "@/lib/views/rules/read-run-days";
import { readRuns, readRunsLook } from "@/lib/views/rules/read-runs";

export const metadata: Metadata = { title: "Runs" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const word = z.string().max(40).optional().catch(undefined);
const searchSchema = z.object({
  status: word,
  runs: word,
  page: z.coerce.number().int().min(1).max(MAXIMUM_PAGE).catch(1),
});

/** Every run of a rule. Filters and page are in the URL. */
export default async function RunsRoute({ params, searchParams }: Props) {
  const { id, member, context } = await openRulePage(params, "/runs");
  const look = readRunsLook(searchSchema.parse(await searchParams));
  const time = timeOf(member, context);
  const { services } = getRuntime();
  const [view, days, shell] = await Promise.all([
    readRuns({ services, context, time }, id, look),
    readRunDays(services, context, id, time.timeZone),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="RULES">
      <RunsList view={view} days={days} runNowHref={view.canRunNow ? runNowHref(id) : null} />
    </Shell>
  );
}
