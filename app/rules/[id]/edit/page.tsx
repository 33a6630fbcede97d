import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { RuleEditor } from "@/app/rules/_components/editor/rule-editor";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { Shell } from "@/components/shell/shell";
import { AppError } from "@/lib/contract/error";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readRuleEditor } from "@/lib/views/rules/read-rule-editor";

export const metadata: Metadata = { title: "Edit rule" };

/** The editor of a rule: the member's draft, or the latest version. */
export default async function EditRulePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (!z.uuid().safeParse(id).success) notFound();
  const member = await requireMember(`/rules/${id}/edit`);
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readRuleEditor({ services, context, time: timeOf(member, context) }, id).catch(gone),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="RULES">
      {mayDecide(member.actor) ? (
        <RuleEditor key={id} view={view} />
      ) : (
        <OwnersOnly what="edit rules" backHref={`/rules/${id}`} />
      )}
    </Shell>
  );
}

/** Missing or not editable; the rule's page says which. */
function gone(error: unknown): null {
  if (error instanceof AppError && (error.code === "RULE_NOT_FOUND" || error.code === "INVALID_RULE"))
    return null;
  throw error;
}
