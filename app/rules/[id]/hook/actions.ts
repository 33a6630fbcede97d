"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { Refused } from "@/lib/contract/refused";
import type { HookSecretResult } from "@/lib/contract/views/rule-hook-view";
import {
  makeHookSecret as make,
  removeHook as remove,
  setHookApproval as setApproval,
} from "@/lib/core/rules/rule-hooks";

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
