import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { TemplatesPage } from "@/app/rules/new/_components/templates/templates-page";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { Shell } from "@/components/shell/shell";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readRuleTemplates } from "@/lib/views/rules/read-rule-editor";

export const metadata: Metadata = { title: "New rule" };

export default async function NewRulePage() {
  const member = await requireMember("/rules/new");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readRuleTemplates({ services, context, time: timeOf(member, context) }),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="RULES">
      {mayDecide(member.actor) ? (
        <TemplatesPage view={view} />
      ) : (
        <OwnersOnly what="create rules" backHref="/rules" />
      )}
    </Shell>
  );
}
