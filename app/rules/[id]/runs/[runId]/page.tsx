import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { shellOf, timeOf } from "@/app/page-setting";
import { RunPage } from "@/app/rules/[id]/runs/[runId]/_components/run-page";
import { openRulePage } from "@/app/rules/open-rule-page";
import { Shell } from "@/components/shell/shell";
import { getRuntime } from "@/lib/next/runtime";
import { readRun } from "@/lib/views/rules/read-run";

export const metadata: Metadata = { title: "Run" };

export default async function RunRoute({ params }: { params: Promise<{ id: string; runId: string }> }) {
  const runId = z.uuid().safeParse((await params).runId);
  if (!runId.success) notFound();
  const { id, member, context } = await openRulePage(params, `/runs/${runId.data}`);
  const [run, shell] = await Promise.all([
    readRun(
      { services: getRuntime().services, context, time: timeOf(member, context) },
      { ruleId: id, executionId: runId.data },
    ),
    shellOf(member, context),
  ]);
  if (!run) notFound();
  return (
    <Shell view={shell} current="RULES">
      <RunPage run={run} />
    </Shell>
  );
}
