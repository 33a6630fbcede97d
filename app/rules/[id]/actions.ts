"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { Refused } from "@/lib/contract/refused";
import { discardInputSchema, ruleActInputSchema, ruleActSubjectSchema } from "@/lib/contract/rule-change";
import type { ConfirmationRequest } from "@/lib/contract/views/decision";
import type {
  DiscardInput,
  RuleActInput,
  RuleActSubject,
  RuleChangeResult,
} from "@/lib/contract/views/rule-change";
import { activateRule } from "@/lib/core/rules/activate-rule";
import {
  beginRuleAct as begin,
  deactivateRule,
  discardVersion as discard,
  deleteRule as removeRule,
  resumeRule,
} from "@/lib/core/rules/change-rule";

/** How this member must confirm; for a passkey, with its challenge. Changes nothing. */
export async function beginRuleAct(
  subject: RuleActSubject,
): Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused> {
  return runAsMember(async (services, { actor }) => ({
    kind: "BEGUN",
    request: await begin(services, actor, readInput(ruleActSubjectSchema, subject)),
  }));
}

export async function changeRule(input: RuleActInput): Promise<RuleChangeResult> {
  return runAsMember((services, context) => {
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
  return runAsMember((services, context) => discard(services, context, readInput(discardInputSchema, input)));
}

export async function deleteRule(input: { ruleId: string }): Promise<RuleChangeResult> {
  return runAsMember((services, context) =>
    removeRule(services, context, readInput(z.object({ ruleId: z.uuid() }), input).ruleId),
  );
}
