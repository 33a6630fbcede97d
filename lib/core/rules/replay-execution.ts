import { ruleFactsSchema } from "@/lib/contract/rules/facts";
import { rulePlanSchema } from "@/lib/contract/rules/plan";
import { storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { Queryable } from "@/lib/db/transaction";
import { comparePlans, type PlanComparison } from "@/lib/engine/compare-plans";
import { evaluate } from "@/lib/engine/evaluate";

/** The result of evaluating a run again. */
export type Replay =
  | { kind: "REPLAYED"; ruleName: string; version: number; factsAt: string; comparison: PlanComparison }
  | { kind: "NOT_FOUND" }
  /** It waits, was denied, failed before it had a plan, or is older than stored plans. */
  | { kind: "NO_PLAN"; ruleName: string; version: number }
  /** This version of Sluice cannot represent its facts, plan or rule, or computes no plan from them. */
  | { kind: "UNREADABLE"; ruleName: string; version: number; what: "RULE" | "FACTS" | "PLAN" | "EVALUATION" };

interface ReplayRow {
  name: string;
  ruleVersion: number;
  definition: unknown;
  facts: unknown;
  plan: unknown;
}

/**
 * Computes the plan of a run again from its stored facts and version, and compares (docs/behavior/rules.md). Reads only,
 * and uses no present data.
 */
export async function replayExecution(
  database: Queryable,
  organizationId: string,
  executionId: string,
): Promise<Replay> {
  const { rows } = await database.query<ReplayRow>({
    name: "replay_execution",
    text: `
      select r.name, e.rule_version as "ruleVersion", v.definition, e.facts, e.plan
        from rule_executions e
        join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
        join rule_versions v on v.organization_id = e.organization_id and v.rule_id = e.rule_id
          and v.version = e.rule_version
       where e.organization_id = $1 and e.id = $2`,
    values: [organizationId, executionId],
  });
  const row = rows[0];
  return row ? replayRow(row) : { kind: "NOT_FOUND" };
}

/** Pure. */
function replayRow(row: ReplayRow): Replay {
  const about = { ruleName: row.name, version: row.ruleVersion };
  if (row.facts === null || row.plan === null) return { kind: "NO_PLAN", ...about };
  const unreadable = (what: Extract<Replay, { kind: "UNREADABLE" }>["what"]): Replay => ({
    kind: "UNREADABLE",
    ...about,
    what,
  });
  const rule = storedRuleDefinitionSchema.safeParse(row.definition);
  if (!rule.success) return unreadable("RULE");
  const facts = ruleFactsSchema.safeParse(row.facts);
  if (!facts.success) return unreadable("FACTS");
  const plan = rulePlanSchema.safeParse(row.plan);
  if (!plan.success) return unreadable("PLAN");
  const evaluation = evaluate(rule.data, facts.data);
  // A plan exists only if every fact was known, so these facts cannot be those of the stored plan.
  if (evaluation.kind === "UNKNOWN") return unreadable("EVALUATION");
  return {
    kind: "REPLAYED",
    ...about,
    factsAt: facts.data.at,
    comparison: comparePlans(plan.data, evaluation.plan),
  };
}

/** The organization of a run; null: none. For the operator, who knows a run only by its id. */
export async function findExecutionOrganization(
  database: Queryable,
  executionId: string,
): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>(
    `select o.id from organizations o join rule_executions e on e.organization_id = o.id and e.id = $1 limit 1`,
    [executionId],
  );
  return rows[0]?.id ?? null;
}
