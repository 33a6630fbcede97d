import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { readRuleVersions } from "@/lib/core/rules/find-rule-to-run";
import type { Queryable } from "@/lib/db/transaction";
import type { RunBase } from "@/lib/engine/run-facts";

/** An attempt that produced no plan. */
export interface FailedAttempt {
  at: string;
  problem: string;
}

/** A run whose row this transaction has locked. */
export interface ClaimedRun {
  organizationId: string;
  id: string;
  ruleId: string;
  ruleName: string;
  /** Null: this version of Sluice cannot represent the rule. */
  definition: RuleDefinition | null;
  base: RunBase;
  chainDepth: number;
  attempts: number;
  attemptLog: FailedAttempt[];
  /** Business time. */
  now: Date;
  timeZone: string;
  stoppedBecause: "DEACTIVATED" | "PAUSED" | "MONEY_CAME_BACK" | "GATES_CLOSED" | null;
  /** The capped key that triggered this run without approval; null: none, or one without a cap. */
  cappedKeyId: string | null;
}

/**
 * Claims due runs, oldest first, skipping those that another worker holds.
 * @param now real time
 */
export async function claimRuns(client: Queryable, now: Date, limit: number): Promise<ClaimedRun[]> {
  const { rows } = await client.query<Omit<ClaimedRun, "definition"> & { version: number }>({
    name: "claim_due_runs",
    text: `
      select organization_id as "organizationId", id, rule_id as "ruleId", rule_version as version,
          rule_name as "ruleName", base, chain_depth as "chainDepth", attempts, attempt_log as "attemptLog",
          business_now as now, time_zone as "timeZone", stopped_because as "stoppedBecause",
          capped_key_id as "cappedKeyId"
        from claim_due_runs($1, $2)`,
    values: [now, limit],
  });
  const definitions = await readRuleVersions(client, rows);
  return rows.map((row, index) => ({ ...row, definition: definitions[index] ?? null }));
}
