import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { RuleEditor } from "@/app/rules/_components/editor/rule-editor";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { AppError } from "@/lib/contract/error";
import { mayDecide } from "@/lib/core/shared/permits";
import { readRuleEditor } from "@/lib/views/rules/read-rule-editor";

export const metadata: Metadata = { title: "Edit rule" };

/** The editor of a rule: the member's draft, or the latest version. */
export default memberPage({
  search: askedId,
  at: (id) => `/rules/${id}/edit`,
  current: "RULES",
  load: (reading, id) => readRuleEditor(reading, id).catch(gone),
  show: ({ view, search: id, member }) =>
    mayDecide(member.actor) ? (
      <RuleEditor key={id} view={view} />
    ) : (
      <OwnersOnly what="edit rules" backHref={`/rules/${id}`} />
    ),
});

/** Missing or not editable; the rule's page says which. */
function gone(error: unknown): null {
  if (error instanceof AppError && (error.code === "RULE_NOT_FOUND" || error.code === "INVALID_RULE"))
    return null;
  throw error;
}
