import type { Metadata } from "next";
import { z } from "zod";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { askedId, memberPage } from "@/app/member-page";
import { RunNowPage } from "@/app/rules/[id]/run/_components/run-now-page";
import { Acting } from "@/components/act/acting";
import { parseCents } from "@/lib/contract/format-cents";
import { runNowHref } from "@/lib/contract/hrefs";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { mayDecide } from "@/lib/core/shared/permits";
import { previewRunNow } from "@/lib/views/rules/preview-run-now";

export const metadata: Metadata = { title: "Run now" };

const amountSchema = z
  .string()
  .max(40)
  .transform(parseCents)
  .pipe(z.int().min(0).max(MAXIMUM_TRANSFER_IN_CENTS));

/** Previews and starts a run. The amount is in the URL. */
export default memberPage({
  search: ({ id: asked, ...query }) => {
    const id = askedId({ id: asked });
    if (id === null) return null;
    dropEmptyParameters(runNowHref(id), query);
    const given = z.string().trim().safeParse(query.amount).data ?? "";
    return { id, given, amount: given === "" ? null : amountSchema.safeParse(given) };
  },
  at: ({ id }) => runNowHref(id),
  current: "RULES",
  load: (reading, { id, amount }) =>
    mayDecide(reading.member.actor)
      ? previewRunNow(reading, { ruleId: id, incomingAmountInCents: amount?.data ?? null })
      : null,
  back: ({ rule }) => ({ href: rule.href, label: rule.name }),
  show: ({ view, search: { given, amount } }) => (
    <Acting>
      <RunNowPage view={view} given={given} isUnreadable={amount !== null && !amount.success} />
    </Acting>
  ),
});
