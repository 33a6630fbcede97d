import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { shellOf, timeOf } from "@/app/page-setting";
import { PausedPage } from "@/app/rules/[id]/paused/_components/paused-page";
import { openRulePage } from "@/app/rules/open-rule-page";
import { Shell } from "@/components/shell/shell";
import { ruleHref } from "@/lib/contract/hrefs";
import { getRuntime } from "@/lib/next/runtime";
import { hasRule } from "@/lib/views/rules/read-hook-page";
import { readPausedPage } from "@/lib/views/rules/read-paused-page";

export const metadata: Metadata = { title: "Paused" };

export default async function PausedRoute({ params }: { params: Promise<{ id: string }> }) {
  const { id, member, context } = await openRulePage(params, "/paused");
  const { services } = getRuntime();
  const [view, shell] = await Promise.all([
    readPausedPage(services, context, id, timeOf(member, context)),
    shellOf(member, context),
  ]);
  if (!view) {
    // Someone resumed it since the link was shown.
    if (await hasRule(services.pool, context.organizationId, id)) redirect(ruleHref(id));
    notFound();
  }
  return (
    <Shell view={shell} current="RULES">
      <PausedPage view={view} />
    </Shell>
  );
}
