import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { sourceAccountIds } from "@/lib/core/rules/check-definition";
import { readRuleFacts } from "@/lib/core/rules/read-rule-facts";
import type { Context } from "@/lib/core/shared/context";
import { evaluate } from "@/lib/engine/evaluate";
import { withBase } from "@/lib/engine/run-facts";
import { newId } from "@/lib/platform/ids";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

type Where = Pick<Context, "organizationId" | "actor" | "now">;
type Database = Pick<TestDatabase, "ownerPool">;

/** A rule as stored, by default with its first version active; for tests of what reads rules and their runs. */
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

/** A run as stored; its transfers are added afterwards. */
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

/** A rule with conditions, shares, a limit and a remainder, and its run for an arrival of $5,200.00. */
export async function arrangeReplayedRun(database: Pick<TestDatabase, "pool" | "ownerPool">) {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const pod = (name: string, balanceInCents: number) =>
    organization.addAccount({ name, type: "POD", balanceInCents });
  const income = await pod("Workshop income", 520_000);
  const taxes = await pod("Taxes", 100_000);
  const payroll = await pod("Payroll", 526_000);
  const share = { sourceAccountId: income, group: 0, type: "PERCENTAGE", of: "INCOMING_AMOUNT" };
  const rule = await storeRule(database, organization.owner, {
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: income, minimumAmountInCents: null },
    limits: [{ id: "month", period: "MONTH", amountInCents: 124_000 }],
    steps: [
      {
        conditions: {
          all: [
            { fact: "INCOMING_AMOUNT", operator: "GREATER_THAN_OR_EQUAL", value: 100_000 },
            {
              any: [
                { fact: "BALANCE", accountId: taxes, operator: "LESS_THAN", value: 900_000 },
                { fact: "DAY_OF_MONTH", operator: "EQUAL", value: 1 },
              ],
            },
          ],
        },
        actions: [
          { ...share, destinationAccountId: taxes, percentage: 25 },
          { ...share, destinationAccountId: payroll, percentage: 30, limitId: "month" },
          {
            type: "TOP_UP",
            sourceAccountId: income,
            destinationAccountId: taxes,
            group: 1,
            amountInCents: 50_000,
          },
        ],
      },
    ],
  });
  const where = { organizationId: organization.organizationId, now: services.clock.now(), timeZone: "UTC" };
  const read = await readRuleFacts(
    database.pool,
    where,
    { ruleId: rule.id, definition: rule.definition },
    false,
  );
  const facts = withBase(read, income, { mode: "LIVE", incomingAmountInCents: 520_000 });
  const evaluation = evaluate(rule.definition, facts);
  if (evaluation.kind !== "PLANNED") throw new Error("Everything is known");
  const store = (plan: RulePlan | null, stored: RuleFacts | null = facts) =>
    storeRun(database, organization.owner, { ruleId: rule.id, facts: stored, plan });
  return { services, organization, rule, facts, plan: evaluation.plan, store };
}

/** The difference: one amount by a cent. */
export function altered(plan: RulePlan): RulePlan {
  return {
    ...plan,
    moves: plan.moves.map((move, index) =>
      index === 0 ? { ...move, amountInCents: move.amountInCents + 1 } : move,
    ),
  };
}
