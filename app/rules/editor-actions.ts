"use server";

import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { ruleHref } from "@/lib/contract/hrefs";
import { comparisonProblems } from "@/lib/contract/rules/comparison-count";
import { ruleWorkSchema, versionReasonSchema } from "@/lib/contract/rules/draft";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { ruleVersionNumber } from "@/lib/contract/rules/trigger";
import { discardDraft as discard, saveDraft } from "@/lib/core/rules/save-draft";
import { saveRuleAsMember } from "@/lib/core/rules/save-rule";

const ofDraft = z.strictObject({ draftId: z.uuid(), ruleId: z.uuid().nullable() });
const version = ruleVersionNumber.nullable();

export const keepDraft = memberAction(
  {
    may: "DECIDERS",
    input: ofDraft.extend({ baseVersion: version, work: ruleWorkSchema }),
    otherwise: "This draft cannot be saved as it is; this tab keeps it.",
  },
  async ({ services, context }, draft) => ({
    kind: "KEPT",
    draftId: await saveDraft(services, context, draft),
    keptAt: context.now.toISOString(),
  }),
);

const editSchema = ofDraft.extend({
  expectedVersion: version,
  definition: ruleDefinitionSchema,
  reason: versionReasonSchema,
});

/** Comparisons are counted first: trying every shape of thousands of wrong ones takes seconds. */
const versionSchema = z
  .custom<z.input<typeof editSchema>>()
  .superRefine((given, { addIssue }) => {
    for (const { field, message } of comparisonProblems(Object(given).definition)) {
      addIssue({ code: "custom", path: [field], message });
    }
  })
  .transform((given): unknown => given)
  .pipe(editSchema);

export const saveVersion = memberAction(
  {
    may: "DECIDERS",
    input: versionSchema,
    otherwise: ({ field, message }) =>
      `${field === "steps" ? "The steps" : field || "The rule"} ${message}. Nothing was saved.`,
  },
  async ({ services, context }, { reason, ...edit }) => {
    const saved = await saveRuleAsMember(services, context, { ...edit, reason: reason.trim() || null });
    return { kind: "SAVED", href: ruleHref(saved.ruleId) };
  },
);

/** Their own: only an owner or co-owner ever has one. */
export const discardDraft = memberAction(
  { may: "MEMBERS", input: ofDraft },
  async ({ services, context }, draft) => {
    await discard(services, context, draft);
    return { kind: "DISCARDED" };
  },
);
