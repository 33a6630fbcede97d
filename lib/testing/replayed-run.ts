import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";
import { readRuleFacts } from "@/lib/core/rules/read-rule-facts";
import { evaluate } from "@/lib/engine/evaluate";
import { withBase } from "@/lib/engine/run-facts";
import type { TestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { storeRule, storeRun } from "@/lib/testing/rule-runs";
import { createTestServices } from "@/lib/testing/services";

/** A rule with conditions, shares, a limit and the rest, and what it does with $5,200.00 that arrived. */
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

/** What differs: one amount by a cent. */
export function altered(plan: RulePlan): RulePlan {
  return {
    ...plan,
    moves: plan.moves.map((move, index) =>
      index === 0 ? { ...move, amountInCents: move.amountInCents + 1 } : move,
    ),
  };
}
