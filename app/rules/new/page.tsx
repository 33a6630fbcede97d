import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import { OwnersOnly } from "@/components/accounts/owners-only";
import { TemplatesPage } from "@/components/rules/templates/templates-page";
import { Shell } from "@/components/shell/shell";
import { mayDecide } from "@/lib/core/keys/permits";
import { memberContext } from "@/lib/core/members/member-context";
import { readRuleTemplates } from "@/lib/core/rules/read-rule-editor";
import { getRuntime } from "@/lib/core/runtime";
import "@/app/styles/pages/rule-editor.css";

export const metadata: Metadata = { title: "New rule" };

/** What a new rule can start from. */
export default async function NewRulePage() {
  const member = await requireMember("/rules/new");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readRuleTemplates(services, context, timeOf(member, context)),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} actions={shellActions} current="RULES">
      {mayDecide(member.actor) ? (
        <TemplatesPage view={view} />
      ) : (
        <OwnersOnly what="write rules" backHref="/rules" />
      )}
    </Shell>
  );
}
