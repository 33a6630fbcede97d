import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { sourceAccountIds } from "@/lib/core/rules/check-definition";
import type { Context } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";
import type { TestDatabase } from "@/lib/testing/database";

type Where = Pick<Context, "organizationId" | "actor" | "now">;
type Database = Pick<TestDatabase, "ownerPool">;

/** A rule as it is stored, its first version active unless told; for tests of what reads rules and their runs. */
export async function storeRule(
  { ownerPool }: Database,
  { organizationId, actor, now }: Where,
  draft: Pick<RuleDefinition, "trigger"> & { name?: string; steps: object[]; limits?: object[] },
  isActive = true,
): Promise<{ id: string; definition: RuleDefinition }> {
  const definition = ruleDefinitionSchema.parse({ name: "Split workshop income", ...draft });
  const id = newId(now);
  await ownerPool.query(
    `insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
       values ($1, $2, $3, 1, $4, $5, $5)`,
    [organizationId, id, definition.name, sourceAccountIds(definition), now],
  );
  await ownerPool.query(
    `insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
       created_by_name, created_at) values ($1, $2, 1, $3, 'MEMBER', $4, $5, $6)`,
    [organizationId, id, JSON.stringify(definition), actor.id, actor.name, now],
  );
  if (isActive) {
    await ownerPool.query(
      `update rules set active_version = 1, active_trigger_type = $3, active_trigger_account_id = $4
        where organization_id = $1 and id = $2`,
      [organizationId, id, definition.trigger.type, definition.trigger.accountId],
    );
  }
  return { id, definition };
}

interface StoredRun {
  ruleId: string;
  status?: RuleExecutionStatus;
  mode?: "LIVE" | "SIMULATION";
  facts?: RuleFacts | null;
  plan?: RulePlan | null;
  cause?: { kind: string; id: string };
  depth?: number;
}

/** A run as it is stored; its transfers are those that are given to it afterwards. */
export async function storeRun(
  { ownerPool }: Database,
  { organizationId, now }: Where,
  run: StoredRun,
): Promise<string> {
  const id = newId(now);
  await ownerPool.query(
    `insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
       created_at, facts, plan, cause_kind, cause_id, chain_depth, started_by_kind)
     values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      organizationId,
      id,
      run.ruleId,
      run.status ?? "EXECUTED",
      run.mode ?? "LIVE",
      JSON.stringify({ type: run.cause ? "ON_FUNDS_TRANSFERRED" : "MANUAL", amountInCents: null }),
      now,
      run.facts ? JSON.stringify(run.facts) : null,
      run.plan ? JSON.stringify(run.plan) : null,
      run.cause?.kind ?? null,
      run.cause?.id ?? null,
      run.depth ?? 0,
      run.cause ? "ARRIVAL" : null,
    ],
  );
  return id;
}
