"use server";

import { z } from "zod";
import { plainInput, readInput } from "@/app/auth/read-input";
import { readFields, refusal, runAsMember } from "@/app/auth/run-as-member";
import type {
  DraftInput,
  DraftKept,
  VersionInput,
  VersionSaved,
} from "@/app/rules/_components/editor/rule-editor-actions";
import { ruleHref } from "@/lib/contract/hrefs";
import type { Refused } from "@/lib/contract/refused";
import { comparisonProblems } from "@/lib/contract/rules/comparison-count";
import { ruleWorkSchema, versionReasonSchema } from "@/lib/contract/rules/draft";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { ruleVersionNumber } from "@/lib/contract/rules/trigger";
import { discardDraft as discard, saveDraft } from "@/lib/core/rules/save-draft";
import { saveRuleAsMember } from "@/lib/core/rules/save-rule";
import { checkInput } from "@/lib/core/shared/parse-input";

const version = ruleVersionNumber.nullable();
const draftInputSchema = z.strictObject({
  draftId: z.uuid(),
  ruleId: z.uuid().nullable(),
  baseVersion: version,
  work: ruleWorkSchema,
});
const versionInputSchema = z.strictObject({
  draftId: z.uuid(),
  ruleId: z.uuid().nullable(),
  expectedVersion: version,
  definition: ruleDefinitionSchema,
  reason: versionReasonSchema,
});

export async function keepDraft(input: DraftInput): Promise<DraftKept | Refused> {
  return runAsMember(async (services, context) => {
    const draft = readFields(
      draftInputSchema,
      input,
      "This draft cannot be saved as it is; this tab keeps it.",
    );
    const draftId = await saveDraft(services, context, draft);
    return { kind: "KEPT", draftId, keptAt: context.now.toISOString() };
  });
}

export async function saveVersion(input: VersionInput): Promise<VersionSaved | Refused> {
  return runAsMember(async (services, context) => {
    const given = plainInput(input);
    const [tooMany] = comparisonProblems(given?.definition);
    if (tooMany) return refusal(`The steps ${tooMany.message}. Nothing was saved.`);
    const parsed = checkInput(versionInputSchema, given);
    if ("problems" in parsed) {
      const [problem] = parsed.problems;
      return refusal(
        `${problem?.field || "The rule"} ${problem?.message ?? "is not complete"}. Nothing was saved.`,
      );
    }
    const { reason, ...edit } = parsed.data;
    const saved = await saveRuleAsMember(services, context, { ...edit, reason: reason.trim() || null });
    return { kind: "SAVED", href: ruleHref(saved.ruleId) };
  });
}

export async function discardDraft(input: {
  draftId: string;
  ruleId: string | null;
}): Promise<{ kind: "DISCARDED" } | Refused> {
  return runAsMember(async (services, context) => {
    const parsed = readInput(z.strictObject({ draftId: z.uuid(), ruleId: z.uuid().nullable() }), input);
    await discard(services, context, parsed);
    return { kind: "DISCARDED" };
  });
}
