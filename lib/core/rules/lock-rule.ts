import { AppError } from "@/lib/contract/error";
import type { RuleChangeResult } from "@/lib/contract/views/rule-change";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import type { Queryable } from "@/lib/db/transaction";

/** Ends the transaction without a change, so that the confirmation is not used up either. */
export class RuleNotChanged extends Error {
  override readonly name = "RuleNotChanged";
  constructor(readonly result: Exclude<RuleChangeResult, { kind: "DONE" }>) {
    super("The rule was not changed");
  }
}

export interface LockedRule {
  latestVersion: number;
  activeVersion: number | null;
  isPaused: boolean;
}

/**
 * Locks what an act on a rule rests on, in the house's order: membership, the organization's rules, the rule. Of two
 * members who activate rules that do not go together, the second sees the first. Edits and runs take the rule's row
 * alone, so they are before the act or after it.
 * @throws RuleNotChanged when there is no such rule, or they may not.
 */
export async function lockRule(
  client: Queryable,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<LockedRule> {
  await requireDecider(client, context, "change what rules do").catch((error: unknown) => {
    if (error instanceof AppError) throw new RuleNotChanged({ kind: "REFUSED", message: error.message });
    throw error;
  });
  await client.query({
    name: "lock_rules_of_organization",
    text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', $1::text, 'rules'), 0))",
    values: [context.organizationId],
  });
  const { rows } = await client.query<{
    latest_version: number;
    active_version: number | null;
    paused_at: Date | null;
  }>({
    name: "lock_live_rule",
    text: `select latest_version, active_version, paused_at from rules
            where organization_id = $1 and id = $2 and deleted_at is null for update`,
    values: [context.organizationId, ruleId],
  });
  const row = rows[0];
  if (!row) {
    throw new RuleNotChanged({ kind: "CHANGED", changes: ["This rule was deleted."] });
  }
  return {
    latestVersion: row.latest_version,
    activeVersion: row.active_version,
    isPaused: row.paused_at !== null,
  };
}
