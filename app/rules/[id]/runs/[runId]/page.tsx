import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { RunPage } from "@/app/rules/[id]/runs/[runId]/_components/run-page";
import { ruleHref } from "@/lib/contract/hrefs";
import { readRun } from "@/lib/views/rules/read-run";

export const metadata: Metadata = { title: "Run" };

export default memberPage({
  search: (asked) => {
    const [ruleId, executionId] = [askedId(asked), askedId({ id: asked.runId })];
    return ruleId === null || executionId === null ? null : { ruleId, executionId };
  },
  at: ({ ruleId, executionId }) => `${ruleHref(ruleId)}/runs/${executionId}`,
  current: "RULES",
  load: readRun,
  show: ({ view }) => <RunPage run={view} />,
});
