"use server";

import { z } from "zod";
import { currentMember, whyNobody } from "@/app/auth/member";
import { readInput } from "@/app/auth/read-input";
import { discardInputSchema, ruleActInputSchema, ruleActSubjectSchema } from "@/lib/contract/rule-change";
import type { ConfirmationRequest } from "@/lib/contract/views/decision";
import type {
  DiscardInput,
  RuleActInput,
  RuleActSubject,
  RuleChangeResult,
} from "@/lib/contract/views/rule-change";
import type { Context, MemberActor } from "@/lib/core/context";
import { memberContext } from "@/lib/core/members/member-context";
import { activateRule } from "@/lib/core/rules/activate-rule";
import { beginRuleAct as begin } from "@/lib/core/rules/confirmed-rule-change";
import { deactivateRule } from "@/lib/core/rules/deactivate-rule";
import { deleteRule as removeRule } from "@/lib/core/rules/delete-rule";
import { discardVersion as discard } from "@/lib/core/rules/discard-version";
import { resumeRule } from "@/lib/core/rules/resume-rule";
import { runGuarded } from "@/lib/core/run-guarded";
import { getRuntime, type Runtime } from "@/lib/core/runtime";

/** What owners and co-owners do with rules. Each calls one core verb, which refuses everybody else. */

type Refused = { kind: "REFUSED"; message: string };

/** How this member must confirm; for a passkey, with its challenge. Changes nothing. */
export async function beginRuleAct(
  subject: RuleActSubject,
): Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused> {
  return asMember(async (services, { actor }) => ({
    kind: "BEGUN",
    request: await begin(services, actor, readInput(ruleActSubjectSchema, subject)),
  }));
}

export async function changeRule(input: RuleActInput): Promise<RuleChangeResult> {
  return asMember((services, context) => {
    const parsed = readInput(ruleActInputSchema, input);
    switch (parsed.act) {
      case "ACTIVATE":
        return activateRule(services, context, { ...parsed, act: "ACTIVATE" });
      case "DEACTIVATE":
        return deactivateRule(services, context, { ...parsed, act: "DEACTIVATE" });
      case "RESUME":
        return resumeRule(services, context, { ...parsed, act: "RESUME" });
    }
  });
}

export async function discardVersion(input: DiscardInput): Promise<RuleChangeResult | { kind: "DELETED" }> {
  return asMember((services, context) => discard(services, context, readInput(discardInputSchema, input)));
}

export async function deleteRule(input: { ruleId: string }): Promise<RuleChangeResult> {
  return asMember((services, context) =>
    removeRule(services, context, readInput(z.object({ ruleId: z.uuid() }), input).ruleId),
  );
}

async function asMember<Result>(
  run: (services: Runtime["services"], context: Context<MemberActor>) => Promise<Result>,
): Promise<Result | Refused> {
  const current = await currentMember();
  if (!current) return refused(await whyNobody());
  const { services } = getRuntime();
  const result = await runGuarded(async () => ({
    kind: "RAN" as const,
    value: await run(services, memberContext(services, current)),
  }));
  return result.kind === "RAN" ? result.value : refused(`${result.message} Request ${result.requestId}.`);
}

function refused(message: string): Refused {
  return { kind: "REFUSED", message };
}
