import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { TemplatesPage } from "@/app/rules/new/_components/templates/templates-page";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { mayDecide } from "@/lib/core/shared/permits";
import { readRuleTemplates } from "@/lib/views/rules/read-rule-editor";

export const metadata: Metadata = { title: "New rule" };

export default memberPage({
  at: "/rules/new",
  current: "RULES",
  load: readRuleTemplates,
  show: ({ view, member }) =>
    mayDecide(member.actor) ? (
      <TemplatesPage view={view} />
    ) : (
      <OwnersOnly what="create rules" backHref="/rules" />
    ),
});
