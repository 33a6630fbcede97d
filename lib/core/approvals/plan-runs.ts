import { z } from "zod";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { outgoingFact, readAccountFacts, readLimitsUsed } from "@/lib/core/rules/read-rule-facts";
import { readOutgoingRoom } from "@/lib/core/transfers/outgoing-cap";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { type Evaluation, evaluate } from "@/lib/engine/evaluate";
import { withBase } from "@/lib/engine/run-facts";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

/** The stored base of a live run. */
export const liveBaseSchema = z.object({
  mode: z.literal("LIVE"),
  incomingAmountInCents: z.int().nullable(),
});

/** A run that waits for approval. */
export interface RunToPlan {
  id: string;
  ruleId: string;
  definition: RuleDefinition;
  base: z.infer<typeof liveBaseSchema>;
}

/** What a run would do now, and the facts that this depends on. */
export interface PlannedRun {
  facts: RuleFacts;
  evaluation: Evaluation;
}

export interface PlanningWhere {
  organizationId: string;
  /** Business time. */
  now: Date;
  timeZone: string;
}

/**
 * Computes what waiting runs would do if approved now, by id. Reads their accounts together, so a page of runs costs
 * little more than one.
 */
export async function planRuns(
  database: Queryable,
  where: PlanningWhere,
  runs: readonly RunToPlan[],
): Promise<Map<string, PlannedRun>> {
  const accountIds = [...new Set(runs.flatMap((run) => accountsOf(run.definition)))];
  const accounts = accountIds.length > 0 ? await readAccountFacts(database, where, accountIds) : {};
  const room = runs.length > 0 ? await readOutgoingRoom(database, where.organizationId, where.now) : null;
  const planned = new Map<string, PlannedRun>();
  for (const run of runs) {
    const limitsUsedInCents = await readLimitsUsed(database, where, run);
    planned.set(run.id, planRun(run, where, accounts, { limitsUsedInCents, ...outgoingFact(room) }));
  }
  return planned;
}

function planRun(
  { definition, base }: RunToPlan,
  where: PlanningWhere,
  accounts: Record<string, AccountFacts>,
  used: Pick<RuleFacts, "limitsUsedInCents" | "outgoingRoomInCents">,
): PlannedRun {
  const own = new Set(accountsOf(definition));
  const read: RuleFacts = {
    at: where.now.toISOString(),
    date: calendarDate(where.now, where.timeZone),
    incomingAmountInCents: null,
    isApprovedByPerson: true,
    accounts: Object.fromEntries(Object.entries(accounts).filter(([id]) => own.has(id))),
    ...used,
  };
  const facts = withBase(read, definition.trigger.accountId, base);
  return { facts, evaluation: evaluate(definition, facts) };
}
