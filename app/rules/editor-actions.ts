"use server";

import { z } from "zod";
import { askingMember } from "@/app/auth/member";
import { readInput } from "@/app/auth/read-input";
import { AppError } from "@/lib/contract/error";
import { ruleHref } from "@/lib/contract/rule-hrefs";
import { ruleWorkSchema, versionReasonSchema } from "@/lib/contract/rules/draft";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type {
  DraftInput,
  DraftKept,
  EditorRefusal,
  VersionInput,
  VersionSaved,
} from "@/lib/contract/views/rule-editor-view";
import { discardDraft as discard, saveDraft } from "@/lib/core/rules/save-draft";

import { saveRuleAsMember } from "@/lib/core/rules/save-rule";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { runGuarded } from "@/lib/next/run-guarded";
import { getRuntime, type Runtime } from "@/lib/next/runtime";

/** What owners and co-owners do in the rule editor. Each calls one core verb, which refuses everybody else. */

const version = z.int().min(1).nullable();
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

export async function keepDraft(input: DraftInput): Promise<DraftKept | EditorRefusal> {
  return asMember(async (services, context) => {
    const parsed = draftInputSchema.safeParse(input);
    if (!parsed.success) return refused("This draft cannot be kept as it is. Nothing of it is lost here.");
    const draftId = await saveDraft(services, context, parsed.data);
    return { kind: "KEPT", draftId, keptAt: context.now.toISOString() };
  });
}

export async function saveVersion(input: VersionInput): Promise<VersionSaved | EditorRefusal> {
  return asMember(async (services, context) => {
    const parsed = versionInputSchema.safeParse(input);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      return refused(
        `${issue?.path.join(".") ?? "The rule"} ${issue?.message ?? "is not complete"}. Nothing was saved.`,
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
}): Promise<{ kind: "DISCARDED" } | EditorRefusal> {
  return asMember(async (services, context) => {
    const parsed = readInput(z.strictObject({ draftId: z.uuid(), ruleId: z.uuid().nullable() }), input);
    await discard(services, context, parsed);
    return { kind: "DISCARDED" };
  });
}

const SIGNED_OUT = "You were signed out. Sign in again in another tab, then continue here.";

/** Runs a command as the signed-in member. A refusal keeps its own message. */
async function asMember<Result>(
  run: (services: Runtime["services"], context: Context<MemberActor>) => Promise<Result>,
): Promise<Result | EditorRefusal> {
  const asking = await askingMember();
  if (asking.kind === "REFUSED") {
    return refused(asking.because === "SIGNED_OUT" ? SIGNED_OUT : asking.message);
  }
  const { services } = getRuntime();
  const result = await runGuarded(async () => {
    try {
      return { kind: "RAN" as const, value: await run(services, memberContext(services, asking.member)) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const kind = error.code === "RULE_VERSION_CONFLICT" ? ("CONFLICT" as const) : ("REFUSED" as const);
      return { kind: "RAN" as const, value: { kind, message: error.message } };
    }
  });
  return result.kind === "RAN" ? result.value : refused(`${result.message} Request ${result.requestId}.`);
}

function refused(message: string): EditorRefusal {
  return { kind: "REFUSED", message };
}
