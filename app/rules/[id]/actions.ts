"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { memberAction } from "@/app/auth/member-action";
import { refusal } from "@/app/auth/run-as-member";
import {
  confirmationSchema,
  ruleActInputSchema,
  ruleActSubjectSchema,
  ruleVersionInputSchema,
} from "@/lib/contract/confirmation/decision";
import { pausedHref, runHref } from "@/lib/contract/hrefs";
import { proposeReversals } from "@/lib/core/approvals/propose-move-back";
import { keepRuleActive as keepActive } from "@/lib/core/approvals/propose-rule-deactivation";
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

const ofRule = z.object({ ruleId: z.uuid().toLowerCase() });

/** How this member must confirm, with a passkey's challenge. Changes nothing. */
export const beginRuleAct = memberAction(
  { may: "DECIDERS", input: ruleActSubjectSchema },
  async ({ services, context }, subject) => ({
    kind: "BEGUN",
    request: await begin(services, context.actor, subject),
  }),
);

export const changeRule = memberAction(
  { may: "DECIDERS", input: ruleActInputSchema },
  ({ services, context }, { act, ...input }) => {
    switch (act) {
      case "ACTIVATE":
        return activateRule(services, context, { ...input, act });
      case "RESUME":
        return resumeRule(services, context, { ...input, act });
    }
  },
);

/** Denies a program's proposal to deactivate the rule. */
export const keepRuleActive = memberAction(
  { may: "DECIDERS", input: z.object({ proposalId: z.uuid() }) },
  ({ services, context }, { proposalId }) => keepActive(services, context, proposalId),
);

/** Without a confirmation: stopping moves nothing. */
export const deactivateRule = memberAction(
  { may: "DECIDERS", input: ruleVersionInputSchema },
  ({ services, context }, input) => deactivate(services, context, input),
);

/** `DELETED`: it was the only version, so the rule was deleted too. */
export const discardVersion = memberAction(
  { may: "DECIDERS", input: ruleVersionInputSchema },
  ({ services, context }, input) => discard(services, context, input),
);

export const deleteRule = memberAction(
  { may: "DECIDERS", input: ofRule },
  ({ services, context }, { ruleId }) => removeRule(services, context, ruleId),
);

/** Creates the hook, or replaces its secret. */
export const makeHookSecret = memberAction(
  { may: "DECIDERS", input: ofRule },
  async ({ services, context }, { ruleId }) => ({
    kind: "MADE",
    secret: await make(services, context, ruleId),
  }),
);

export const removeHook = memberAction(
  { may: "DECIDERS", input: ofRule },
  async ({ services, context }, { ruleId }) => {
    await remove(services, context, ruleId);
    return { kind: "REMOVED" };
  },
);

export const setHookApproval = memberAction(
  { may: "DECIDERS", input: ofRule.extend({ isRequired: z.boolean() }) },
  ({ services, context }, input) => setApproval(services, context, input),
);

/** Proposes reversing every transfer of the split; each is decided on its own. */
export const proposeAll = memberAction(
  { may: "DECIDERS", input: ofRule },
  async ({ services, context }, { ruleId }) => {
    try {
      return { kind: "PROPOSED", ...(await proposeReversals(services, context, ruleId)) };
    } finally {
      revalidatePath(pausedHref(ruleId));
    }
  },
);

/** How the member must confirm running this version with this amount. */
export const beginRun = memberAction(
  { may: "DECIDERS", input: runNowSubjectSchema },
  async ({ services, context }, subject) => ({
    kind: "BEGUN",
    request: await beginRunNow(services, context, subject),
  }),
);

/** Runs the rule; returns the link to the run. */
export const runNow = memberAction(
  { may: "DECIDERS", input: runNowSubjectSchema.extend({ confirmation: confirmationSchema }) },
  async ({ services, context }, input) => ({
    kind: "STARTED",
    href: runHref(input.ruleId, await runRuleNow(services, context, input)),
  }),
);

/** Replays a run from its stored facts. Changes nothing, so every member may. */
export const replayRun = memberAction(
  { may: "MEMBERS", input: z.object({ executionId: z.uuid() }) },
  async ({ services, context }, { executionId }) => {
    const replay = await replayExecution(services.pool, context.organizationId, executionId);
    return toResult(replay, context.now.toISOString());
  },
);

function toResult(replay: Replay, at: string) {
  switch (replay.kind) {
    case "NOT_FOUND":
      return refusal("This run does not exist. Nothing moved.");
    case "NO_PLAN":
      return refusal("This run has no stored plan to replay. Nothing moved.");
    case "UNREADABLE":
      return refusal(
        "This version of Sluice can’t read the stored plan, so it was not replayed. Nothing moved.",
      );
    case "REPLAYED": {
      const { comparison } = replay;
      if (comparison.isSame) return { kind: "SAME" as const, count: comparison.moves.length, at };
      const amounts = comparison.moves.flatMap(({ stored, recomputed, agrees }, index) =>
        agrees
          ? []
          : [
              {
                kind: "AMOUNT" as const,
                /** From 1. */
                place: index + 1,
                storedInCents: stored?.amountInCents ?? null,
                recomputedInCents: recomputed?.amountInCents ?? null,
              },
            ],
      );
      const others = comparison.otherDifferences.map((what) => ({ kind: "OTHER" as const, what }));
      return { kind: "DIFFERENT" as const, differences: [...amounts, ...others], at };
    }
  }
}
