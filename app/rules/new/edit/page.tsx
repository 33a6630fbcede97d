import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { startOn } from "@/app/rules/_components/editor/edit-trigger";
import { RuleEditor } from "@/app/rules/_components/editor/rule-editor";
import { beginDraft, castAccounts } from "@/app/rules/new/_components/templates/rule-templates";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { Shell } from "@/components/shell/shell";
import { ruleHref } from "@/lib/contract/hrefs";
import { findVersionOfDraft } from "@/lib/core/rules/save-draft";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { getRuntime } from "@/lib/next/runtime";
import { readNewRuleEditor } from "@/lib/views/rules/read-rule-editor";

export const metadata: Metadata = { title: "New rule" };

const querySchema = z.object({ template: z.string().max(60).optional(), draft: z.uuid().optional() });

/** The editor of a new rule: from a template, blank, or a saved draft. */
export default async function NewRuleEditorPage({ searchParams }: { searchParams: Promise<unknown> }) {
  const query = querySchema.safeParse(await searchParams);
  if (!query.success) notFound();
  const { template = null, draft = null } = query.data;
  const returnTo = new URLSearchParams({ ...(template && { template }), ...(draft && { draft }) });
  const member = await requireMember(`/rules/new/edit?${returnTo}`);
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const time = timeOf(member, context);
  const [view, shell] = await Promise.all([
    readNewRuleEditor({ services, context, time }, draft, (accounts) =>
      beginDraft(template, {
        cast: castAccounts(accounts),
        timeZone: time.timeZone,
        startAt: startOfToday(),
      }),
    ),
    shellOf(member, context),
  ]);
  function startOfToday(): string {
    const { timeZone } = time;
    const date = calendarDate(context.now, timeZone);
    return startOn(date, { frequency: "DAILY", time: "00:00", timeZone }) ?? context.now.toISOString();
  }
  if (!view) {
    // Back from the rule that the draft became.
    const saved = draft && (await findVersionOfDraft(services.pool, context, draft));
    return saved ? redirect(ruleHref(saved.ruleId)) : notFound();
  }
  return (
    <Shell view={shell} current="RULES">
      {mayDecide(member.actor) ? (
        <RuleEditor key={view.draftId} view={view} />
      ) : (
        <OwnersOnly what="create rules" backHref="/rules" />
      )}
    </Shell>
  );
}
