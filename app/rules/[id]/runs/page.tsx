import type { Metadata } from "next";
import { z } from "zod";
import { askedId, memberPage } from "@/app/member-page";
import { RunsList } from "@/app/rules/[id]/_components/runs-list";
import { ruleHref, runNowHref } from "@/lib/contract/hrefs";
import { MAXIMUM_PAGE } from "@/lib/contract/limits";
import { readRunDays } from "@/lib/views/rules/read-run-days";
import { readRuns, readRunsLook } from "@/lib/views/rules/read-runs";

export const metadata: Metadata = { title: "Runs" };

const word = z.string().max(40).optional().catch(undefined);
const searchSchema = z.object({
  status: word,
  runs: word,
  page: z.coerce.number().int().min(1).max(MAXIMUM_PAGE).catch(1),
});

/** Every run of a rule. Filters and page are in the URL. */
export default memberPage({
  search: (asked) => {
    const id = askedId(asked);
    return id === null ? null : { id, look: readRunsLook(searchSchema.parse(asked)) };
  },
  at: ({ id }) => `${ruleHref(id)}/runs`,
  current: "RULES",
  load: async (reading, { id, look }) => {
    const [runs, days] = await Promise.all([readRuns(reading, id, look), readRunDays(reading, id)]);
    return runs ? { runs, days } : null;
  },
  show: ({ view: { runs, days }, search: { id } }) => (
    <RunsList view={runs} days={days} runNowHref={runs.canRunNow ? runNowHref(id) : null} />
  ),
});
