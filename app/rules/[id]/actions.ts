"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { ReplayResult } from "@/app/rules/[id]/_components/replay-result";
import type { HookSecretResult } from "@/app/rules/[id]/_components/rule-actions";
import {
  type Confirmation,
  type ConfirmationRequest,
  type RuleActInput,
  type RuleActSubject,
  type RuleChangeResult,
  type RuleVersionInput,
  type RunNowSubject,
  ruleActInputSchema,
  ruleActSubjectSchema,
  ruleVersionInputSchema,
} from "@/lib/contract/confirmation/decision";
import { pausedHref, runHref } from "@/lib/contract/hrefs";
import type { Refused } from "@/lib/contract/refused";
import type { ReversalsResult } from "@/lib/contract/rules/pause";
import { proposeReversals } from "@/lib/core/approvals/propose-move-back";
import { activateRule } from "@/lib/core/rules/activate-rule";
import {
  beginRuleAct as begin,
  deactivateRule as deactivate,
  discardVersion as discard,
  deleteRule as removeRule,
  resumeRule,
} from "@/lib/core/rules/change-rule";
import { type Replay, replayExecution } from "@/lib/core/rules/replay-execution";
import {
  makeHookSecret as make,
  removeHook as remove,
  setHookApproval as setApproval,
} from "@/lib/core/rules/rule-hooks";
import { beginRunNow, runNowSubjectSchema, runRuleNow } from "@/lib/core/rules/run-rule-now";

/** How this member must confirm, with a passkey's challenge. Changes nothing. */
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
      case "RESUME":
        return resumeRule(services, context, { ...parsed, act: "RESUME" });
    }
  });
}

export async function deactivateRule(input: RuleVersionInput): Promise<RuleChangeResult> {
  return runAsMember((services, context) =>
    deactivate(services, context, readInput(ruleVersionInputSchema, input)),
  );
}

export async function discardVersion(
  input: RuleVersionInput,
): Promise<RuleChangeResult | { kind: "DELETED" }> {
  return runAsMember((services, context) =>
    discard(services, context, readInput(ruleVersionInputSchema, input)),
  );
}

export async function deleteRule(input: { ruleId: string }): Promise<RuleChangeResult> {
  return runAsMember((services, context) =>
    removeRule(services, context, readInput(z.object({ ruleId: z.uuid() }), input).ruleId),
  );
}

const ruleIdSchema = z.uuid().toLowerCase();

export async function makeHookSecret(input: { ruleId: string }): Promise<HookSecretResult> {
  return runAsMember(async (services, context) => ({
    kind: "MADE",
    secret: await make(services, context, readInput(z.object({ ruleId: ruleIdSchema }), input).ruleId),
  }));
}

export async function removeHook(input: { ruleId: string }): Promise<{ kind: "REMOVED" } | Refused> {
  return runAsMember(async (services, context) => {
    await remove(services, context, readInput(z.object({ ruleId: ruleIdSchema }), input).ruleId);
    return { kind: "REMOVED" };
  });
}

export async function setHookApproval(input: {
  ruleId: string;
  isRequired: boolean;
}): Promise<{ kind: "SET" } | Refused> {
  return runAsMember(async (services, context) => {
    await setApproval(
      services,
      context,
      readInput(z.object({ ruleId: ruleIdSchema, isRequired: z.boolean() }), input),
    );
    return { kind: "SET" };
  });
}

/** Proposes reversing every transfer of the split; each is decided on its own. */
export async function proposeAll(
  ruleId: string,
): Promise<({ kind: "PROPOSED" } & ReversalsResult) | Refused> {
  const id = readInput(z.uuid(), ruleId);
  const result = await runAsMember(async (services, context, time) => ({
    kind: "PROPOSED" as const,
    ...(await proposeReversals(services, context, id, time)),
  }));
  revalidatePath(pausedHref(id));
  return result;
}

/** How the member must confirm running this version with this amount. */
export async function beginRun(
  subject: RunNowSubject,
): Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused> {
  return runAsMember(async (services, context) => ({
    kind: "BEGUN",
    request: await beginRunNow(services, context, readInput(runNowSubjectSchema, subject)),
  }));
}

/** Runs the rule; returns the link to the run. */
export async function runNow(
  input: RunNowSubject & { confirmation: Confirmation },
): Promise<{ kind: "STARTED"; href: string } | Refused> {
  return runAsMember(async (services, context) => {
    // Validates first: a call without arguments has no fields.
    const subject = readInput(runNowSubjectSchema.strip(), input);
    const { confirmation } = input;
    const executionId = await runRuleNow(services, context, { ...subject, confirmation });
    return { kind: "STARTED", href: runHref(subject.ruleId, executionId) };
  });
}

/** Replays a run from its stored facts. Changes nothing, so every member may. */
export async function replayRun(executionId: string): Promise<ReplayResult> {
  return runAsMember(async (services, context) => {
    const id = readInput(z.uuid(), executionId);
    return toResult(
      await replayExecution(services.pool, context.organizationId, id),
      context.now.toISOString(),
    );
  });
}

function toResult(replay: Replay, at: string): ReplayResult {
  switch (replay.kind) {
    case "NOT_FOUND":
      return { kind: "REFUSED", message: "This run does not exist. Nothing moved." };
    case "NO_PLAN":
      return { kind: "REFUSED", message: "This run has no stored plan to replay. Nothing moved." };
    case "UNREADABLE":
      return {
        kind: "REFUSED",
        message: "This version of Sluice can’t read the stored plan, so it was not replayed. Nothing moved.",
      };
    case "REPLAYED": {
      const { comparison } = replay;
      if (comparison.isSame) return { kind: "SAME", count: comparison.moves.length, at };
      const amounts = comparison.moves.flatMap(({ stored, recomputed, agrees }, index) =>
        agrees
          ? []
          : [
              {
                kind: "AMOUNT" as const,
                place: index + 1,
                storedInCents: stored?.amountInCents ?? null,
                recomputedInCents: recomputed?.amountInCents ?? null,
              },
            ],
      );
      const others = comparison.otherDifferences.map((what) => ({ kind: "OTHER" as const, what }));
      return { kind: "DIFFERENT", differences: [...amounts, ...others], at };
    }
  }
}
