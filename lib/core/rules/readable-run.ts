import type { z } from "zod";
import type { DryRunBase, triggerDetailsSchema } from "@/lib/contract/rules/execution";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { namesOf } from "@/lib/core/rules/names-of";
import type { CallerActor } from "@/lib/core/shared/context";
import { covers, mayReadAccounts, permissionOf } from "@/lib/core/shared/permits";
import { type SimulatedBase, toDryRunBase } from "@/lib/engine/run-facts";
import { runErrorMessage } from "@/lib/engine/words/trace-words";

/**
 * What a key gets to read of a rule's run. A dry run costs nothing and may use any account of the organization, so that
 * its amounts would be a way around READ_ACCOUNTS (decisions page: a key that may not read an account gets no amount of
 * it from a rule's run).
 */

/** The base of a dry run, without a balance that the caller may not read. */
export function readableBase(
  actor: CallerActor,
  trigger: RuleDefinition["trigger"],
  base: SimulatedBase,
  facts: RuleFacts,
): DryRunBase {
  const told = toDryRunBase(trigger, base, facts);
  if (told.kind !== "REAL_BALANCE" || mayReadAccounts(actor, [trigger.accountId])) return told;
  // What the caller has arrive is no secret; what stands for it where nothing does is the balance.
  const isArrival = told.setsOff !== null;
  return {
    ...told,
    availableInCents: null,
    incomingAmountInCents: isArrival ? told.incomingAmountInCents : null,
  };
}

/** Why a run failed: in amounts only to a caller who may read every account that they may follow from. */
export function readableError(
  actor: CallerActor,
  run: { errorMessage: string | null; facts: RuleFacts | null; plan: RulePlan | null },
): string | null {
  const { errorMessage, facts, plan } = run;
  if (errorMessage === null || !facts || !plan) return errorMessage;
  if (mayReadAccounts(actor, Object.keys(facts.accounts))) return errorMessage;
  return runErrorMessage(plan, namesOf(facts), "WITHOUT_AMOUNTS") ?? errorMessage;
}

type TriggerDetails = z.infer<typeof triggerDetailsSchema>;

/** What set a run off; what arrived at an account only to a caller who may read that, or its transfers. */
export function readableTriggerDetails(
  actor: CallerActor,
  details: TriggerDetails,
  accountId: string,
): TriggerDetails {
  if (details.type !== "ON_FUNDS_TRANSFERRED" || mayReadAccounts(actor, [accountId])) return details;
  const transfers = permissionOf(actor, "READ_TRANSFERS");
  return transfers && covers(transfers.accounts, accountId) ? details : { ...details, amountInCents: null };
}
