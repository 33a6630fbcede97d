import type { ApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { transferMoves } from "@/lib/core/approvals/describe-transfer";
import type { PlanningWhere } from "@/lib/core/approvals/plan-runs";
import { approvableMoves } from "@/lib/core/approvals/proposal-facts";
import type { ProposalSubject } from "@/lib/core/approvals/proposal-subjects";
import { readAccountFacts, readLimitsUsed } from "@/lib/core/rules/read-rule-facts";
import type { Context } from "@/lib/core/shared/context";
import { readDefinitions } from "@/lib/core/shared/read-definitions";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import {
  type Forecast,
  type ForecastFacts,
  type ForecastRule,
  forecastingMoves,
  rulesByAccount,
} from "@/lib/engine/forecast/forecast-arrivals";
import type { ForecastMove } from "@/lib/engine/forecast/money-after";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { inSlices } from "@/lib/platform/slices";

/** The rules that it would trigger. A requested transfer starts a chain; transfers of a run follow its rule. */
export async function forecastApproval(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  facts: ApprovalFacts,
  timeZone: string,
): Promise<Forecast> {
  const where = { organizationId, now, timeZone };
  if (facts.kind === "TRANSFER") return forecastKnockOn(database, where, transferMoves(facts), 0);
  return forecastKnockOn(database, where, approvableMoves(facts.plan) ?? [], facts.chainDepth + 1);
}

/** As `forecastApproval`, if all of these were approved in their order. */
export function forecastTogether(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  subjects: readonly Pick<ProposalSubject, "moves" | "chainDepth">[],
  timeZone: string,
): Promise<Forecast> {
  const moves = subjects.flatMap(({ moves, chainDepth }) => moves.map((move) => ({ ...move, chainDepth })));
  return forecastKnockOn(database, { organizationId, now, timeZone }, moves, 0);
}

/** An organization has at most one such rule per account. */
const MAXIMUM_RULES = 500;

/**
 * Forecasts the active rules that these moves would trigger if accepted now, and what those would move. Not part of what
 * is approved (docs/behavior/approvals.md).
 * @param chainDepth rules that ran before these moves in their chain, including the one that made them
 */
async function forecastKnockOn(
  database: Queryable,
  where: PlanningWhere,
  moves: readonly ForecastMove[],
  chainDepth: number,
): Promise<Forecast> {
  const rules = reachable(await readArrivalRules(database, where.organizationId), moves);
  const facts = await readForecastFacts(database, where, moves, rules);
  return inSlices(forecastingMoves(moves, chainDepth, rules, facts));
}

/** Active versions of rules that money arriving triggers; paused ones do not run. */
async function readArrivalRules(database: Queryable, organizationId: string): Promise<ForecastRule[]> {
  const { rows } = await database.query<{ id: string; name: string; definition: unknown }>({
    name: "read_arrival_rules",
    text: `
      select r.id, v.definition ->> 'name' as name, v.definition
        from rules r
        join rule_versions v
          on v.organization_id = r.organization_id and v.rule_id = r.id and v.version = r.active_version
       where r.organization_id = $1 and r.active_trigger_type = 'ON_FUNDS_TRANSFERRED' and r.paused_at is null
         and r.deleted_at is null
       order by r.id limit ${MAXIMUM_RULES}`,
    values: [organizationId],
  });
  const definitions = await readDefinitions(rows.map(({ definition }) => definition));
  return rows.flatMap(({ id, name }, index) => {
    // A rule that this version of Sluice cannot represent does not run either.
    const definition = definitions[index];
    return definition ? [{ id, name, definition }] : [];
  });
}

/** The rules that the moves can trigger, directly or through other rules; only their facts are read. */
function reachable(rules: readonly ForecastRule[], moves: readonly ForecastMove[]): ForecastRule[] {
  const byAccount = rulesByAccount(rules);
  const found = new Set<ForecastRule>();
  const accounts = new Set(moves.map((move) => move.destinationAccountId));
  // Grows during the loop; each account is visited once.
  for (const accountId of accounts) {
    for (const rule of byAccount.get(accountId) ?? []) {
      found.add(rule);
      for (const id of accountsOf(rule.definition)) accounts.add(id);
    }
  }
  return rules.filter((rule) => found.has(rule));
}

async function readForecastFacts(
  database: Queryable,
  where: PlanningWhere,
  moves: readonly ForecastMove[],
  rules: readonly ForecastRule[],
): Promise<ForecastFacts> {
  const accountIds = new Set(moves.flatMap((move) => [move.sourceAccountId, move.destinationAccountId]));
  for (const rule of rules) for (const id of accountsOf(rule.definition)) accountIds.add(id);
  const limitsUsedInCents: Record<string, Record<string, number>> = {};
  for (const { id, definition } of rules) {
    limitsUsedInCents[id] = await readLimitsUsed(database, where, { ruleId: id, definition });
  }
  return {
    at: where.now.toISOString(),
    date: calendarDate(where.now, where.timeZone),
    accounts: await readAccountFacts(database, where, [...accountIds]),
    limitsUsedInCents,
  };
}
