import type { RunApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { plannedTransfers } from "@/lib/core/rules/planned-transfers";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";

/** Holds the run's rule, the run, its limits and all its accounts as they are, until the transaction ends. */
export async function lockRun(client: Queryable, context: Context, facts: RunApprovalFacts): Promise<void> {
  await client.query({
    name: "lock_waiting_run",
    text: "select lock_waiting_run($1, $2, $3)",
    values: [context.organizationId, facts.id, facts.definition ? accountsOf(facts.definition) : []],
  });
}

/**
 * Stores the plan that was approved and accepts its transfers, all or none, in the deciding transaction. Nothing works
 * it out again after this.
 * @param facts as read under the locks of `lockRun`, with nothing in the way
 */
export async function acceptRun(client: Queryable, context: Context, facts: RunApprovalFacts): Promise<void> {
  const { planned, definition } = facts;
  if (!definition || planned?.evaluation.kind !== "PLANNED") {
    throw new Error("A run was approved that nobody could see the plan of");
  }
  const { plan } = planned.evaluation;
  const transfers = plannedTransfers(plan, definition, planned.facts, context.now);
  await client.query({
    name: "accept_approved_run",
    text: "select accept_approved_run($1, $2, $3, $4, $5, $6)",
    values: [
      context.organizationId,
      facts.id,
      JSON.stringify(planned.facts),
      JSON.stringify(plan),
      JSON.stringify(transfers),
      context.now,
    ],
  });
}
