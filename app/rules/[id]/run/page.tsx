import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { shellOf, timeOf } from "@/app/page-setting";
import { RunNowPage } from "@/app/rules/[id]/run/_components/run-now-page";
import { openRulePage } from "@/app/rules/open-rule-page";
import { Acting } from "@/components/act/acting";
import { FocusFrame } from "@/components/shell/focus-frame";
import { parseCents } from "@/lib/contract/format-cents";
import { runNowHref } from "@/lib/contract/hrefs";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { mayDecide } from "@/lib/core/shared/permits";
import { getRuntime } from "@/lib/next/runtime";
import { previewRunNow } from "@/lib/views/rules/preview-run-now";

export const metadata: Metadata = { title: "Run now" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const amountSchema = z
  .string()
  .max(40)
  .transform(parseCents)
  .pipe(z.int().min(0).max(MAXIMUM_TRANSFER_IN_CENTS));

/** Previews and starts a run. The amount is in the URL. */
export default async function RunNowRoute({ params, searchParams }: Props) {
  const { id, member, context } = await openRulePage(params, "/run");
  const query = await searchParams;
  dropEmptyParameters(runNowHref(id), query);
  if (!mayDecide(member.actor)) notFound();
  const given = z.string().trim().safeParse(query.amount).data ?? "";
  const amount = given === "" ? null : amountSchema.safeParse(given);
  const incomingAmountInCents = amount?.success ? amount.data : null;
  const [view, shell] = await Promise.all([
    previewRunNow(
      { services: getRuntime().services, context, time: timeOf(member, context) },
      { ruleId: id, incomingAmountInCents },
    ),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <FocusFrame view={shell} back={{ href: view.rule.href, label: view.rule.name, waitingCount: 0 }}>
      <Acting>
        <RunNowPage view={view} given={given} isUnreadable={amount !== null && !amount.success} />
      </Acting>
    </FocusFrame>
  );
}
