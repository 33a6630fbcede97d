import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { askedId } from "@/app/member-page";
import { shellOf, timeOf } from "@/app/page-setting";
import { RunNowPage } from "@/app/rules/[id]/run/_components/run-now-page";
import { Acting } from "@/components/act/acting";
import { FocusFrame } from "@/components/shell/focus-frame";
import { parseCents } from "@/lib/contract/format-cents";
import { runNowHref } from "@/lib/contract/hrefs";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
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
  const query = await searchParams;
  const id = askedId(await params);
  if (id === null) notFound();
  const member = await requireMember(runNowHref(id));
  const context = memberContext(getRuntime().services, member);
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
