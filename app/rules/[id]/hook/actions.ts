"use server";

import { z } from "zod";
import { currentMember } from "@/app/auth/member";
import { AppError } from "@/lib/contract/error";
import type { KeyRefused } from "@/lib/contract/views/keys-view";
import type { HookSecretResult } from "@/lib/contract/views/rule-hook-view";
import type { Context, MemberActor } from "@/lib/core/context";
import { memberContext } from "@/lib/core/members/member-context";
import { NotConfirmed } from "@/lib/core/members/not-confirmed";
import { makeHookSecret as make } from "@/lib/core/rules/make-hook-secret";
import { removeHook as remove } from "@/lib/core/rules/remove-hook";
import { setHookApproval as setApproval } from "@/lib/core/rules/set-hook-approval";
import { runGuarded } from "@/lib/core/run-guarded";
import { getRuntime, type Runtime } from "@/lib/core/runtime";

/** What owners and co-owners do with the hook of a rule. Each calls one core verb, which refuses everybody else. */

const ruleIdSchema = z.uuid().toLowerCase();

export async function makeHookSecret(input: { ruleId: string }): Promise<HookSecretResult> {
  return asMember(async (services, context) => ({
    kind: "MADE",
    secret: await make(services, context, ruleIdSchema.parse(input.ruleId)),
  }));
}

export async function removeHook(input: { ruleId: string }): Promise<{ kind: "REMOVED" } | KeyRefused> {
  return asMember(async (services, context) => {
    await remove(services, context, ruleIdSchema.parse(input.ruleId));
    return { kind: "REMOVED" };
  });
}

export async function setHookApproval(input: {
  ruleId: string;
  isRequired: boolean;
}): Promise<{ kind: "SET" } | KeyRefused> {
  return asMember(async (services, context) => {
    await setApproval(
      services,
      context,
      z.object({ ruleId: ruleIdSchema, isRequired: z.boolean() }).parse(input),
    );
    return { kind: "SET" };
  });
}

/** Runs a verb as whoever asks; what it refuses is told in its own sentence. */
async function asMember<Result>(
  run: (services: Runtime["services"], context: Context<MemberActor>) => Promise<Result>,
): Promise<Result | KeyRefused> {
  const current = await currentMember();
  if (!current) return refused("You were signed out. Sign in again. Nothing was changed.");
  const { services } = getRuntime();
  const result = await runGuarded(async () => {
    try {
      return { kind: "RAN" as const, value: await run(services, memberContext(services, current)) };
    } catch (error) {
      if (error instanceof NotConfirmed || error instanceof AppError) {
        return { kind: "RAN" as const, value: refused(error.message) };
      }
      throw error;
    }
  });
  return result.kind === "RAN" ? result.value : refused(`${result.message} Request ${result.requestId}.`);
}

function refused(message: string): KeyRefused {
  return { kind: "REFUSED", message };
}
