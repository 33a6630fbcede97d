import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { readRuleVersions } from "@/lib/core/rules/find-rule-to-run";
import type { Queryable } from "@/lib/db/transaction";
import type { RunBase } from "@/lib/engine/run-facts";

/** One attempt that did not come to a plan. */
export interface FailedAttempt {
  at: string;
  problem: string;
}

/** A run that this transaction holds. */
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
  /** The capped key whose doing this run is, without a person; null: nobody's, or of a key without a cap. */
  cappedKeyId: string | null;
}

interface ClaimedRow {
  organization_id: string;
  id: string;
  rule_id: string;
  rule_version: number;
  rule_name: string;
  base: RunBase;
  chain_depth: number;
  attempts: number;
  attempt_log: FailedAttempt[];
  business_now: Date;
  time_zone: string;
  stopped_because: ClaimedRun["stoppedBecause"];
  capped_key_id: string | null;
}

/**
 * Claims runs that are due, oldest first, passing over what another worker holds.
 * @param now real time
 */
export async function claimRuns(client: Queryable, now: Date, limit: number): Promise<ClaimedRun[]> {
  const { rows } = await client.query<ClaimedRow>({
    name: "claim_due_runs",
    text: "select * from claim_due_runs($1, $2)",
    values: [now, limit],
  });
  const definitions = await readRuleVersions(
    client,
    rows.map((row) => ({
      organizationId: row.organization_id,
      ruleId: row.rule_id,
      version: row.rule_version,
    })),
  );
  return rows.map((row, index) => ({
    organizationId: row.organization_id,
    id: row.id,
    ruleId: row.rule_id,
    ruleName: row.rule_name,
    definition: definitions[index] ?? null,
    base: row.base,
    chainDepth: row.chain_depth,
    attempts: row.attempts,
    attemptLog: row.attempt_log,
    now: row.business_now,
    timeZone: row.time_zone,
    stoppedBecause: row.stopped_because,
    cappedKeyId: row.capped_key_id,
  }));
}
