import { ruleHref } from "@/lib/contract/hrefs";
import { scheduleZoneOf } from "@/lib/contract/rules/definition-parts";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import { readFactsOfRules } from "@/lib/core/rules/read-rule-facts";
import type { Context } from "@/lib/core/shared/context";
import { readDefinitions } from "@/lib/core/shared/read-definitions";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { evaluate } from "@/lib/engine/evaluate";
import { withBase } from "@/lib/engine/run-facts";
import { ruleLine } from "@/lib/words/rules/rule-line";

/** What a rule would do if it ran right now. */
export type NextRunForecast =
  | { kind: "MOVES"; amountInCents: number; fromName: string; toName: string | null; toCount: number }
  | { kind: "NOTHING" }
  /** Not computed: it runs on a deposit, or something it needs is unknown. */
  | { kind: "LINE"; line: string | null };

const SHOWN = 4;

interface Row {
  id: string;
  name: string;
  nextRunAt: Date | null;
  definition: unknown;
  hasNewVersion: boolean;
}

/**
 * The next scheduled rules, soonest first, then those triggered by deposits, each with what it would do now. Paused and
 * inactive rules are left out.
 */
export async function listNextRules(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  timeZone: string,
) {
  const { rows } = await database.query<Row>({
    name: "list_next_rules",
    text: `
      select r.id, r.name, r.next_run_at as "nextRunAt", v.definition,
          r.latest_version > r.active_version as "hasNewVersion"
        from (
          select * from rules
           where organization_id = $1 and active_version is not null and paused_at is null and deleted_at is null
             and (next_run_at is not null or active_trigger_type = 'ON_FUNDS_TRANSFERRED')
           order by next_run_at nulls last, lower(name), id limit ${SHOWN}) r
        join rule_versions v on v.organization_id = $1 and v.rule_id = r.id and v.version = r.active_version
       order by r.next_run_at nulls last, lower(r.name), r.id`,
    values: [context.organizationId],
  });
  const definitions = await readDefinitions(rows.map(({ definition }) => definition));
  const read = rows.map((row, index) => ({ row, definition: definitions[index] ?? null }));
  const accountIds = read.flatMap(({ definition }) => (definition ? accountsOf(definition) : []));
  const names = await readAccountNames(database, context.organizationId, [...new Set(accountIds)]);
  const where = { organizationId: context.organizationId, now: context.now, timeZone };
  // A deposit's amount is unknown until it arrives.
  const scheduled = read.flatMap(({ row, definition }) =>
    definition && row.nextRunAt ? [{ ruleId: row.id, definition }] : [],
  );
  const facts = await readFactsOfRules(database, where, scheduled, false);
  const factsOf = new Map(scheduled.map(({ ruleId }, index) => [ruleId, facts[index]]));
  return read.map(({ row, definition }) => ({
    id: row.id,
    href: ruleHref(row.id),
    name: row.name,
    /** Null: with the next deposit. */
    at: row.nextRunAt?.toISOString() ?? null,
    /** The schedule's: it runs by this clock, and says so in its sentence. */
    timeZone: scheduleZoneOf(definition),
    /** A newer version waits to be activated. */
    hasNewVersion: row.hasNewVersion,
    forecast: definition
      ? forecast(definition, factsOf.get(row.id), names)
      : { kind: "LINE" as const, line: null },
  }));
}

export type NextRuleView = Awaited<ReturnType<typeof listNextRules>>[number];

function forecast(
  definition: RuleDefinition,
  facts: RuleFacts | undefined,
  names: AccountNames,
): NextRunForecast {
  if (!facts) return { kind: "LINE", line: ruleLine(definition, names) };
  const base = { mode: "LIVE" as const, incomingAmountInCents: null };
  const evaluation = evaluate(definition, withBase(facts, definition.trigger.accountId, base));
  if (evaluation.kind === "UNKNOWN") return { kind: "LINE", line: ruleLine(definition, names) };
  const moves = evaluation.plan.moves.filter((move) => move.outcome === "MOVE");
  const [first] = moves;
  if (!first) return { kind: "NOTHING" };
  const destinations = new Set(moves.map((move) => move.destinationAccountId));
  return {
    kind: "MOVES",
    amountInCents: moves.reduce((sum, move) => sum + move.amountInCents, 0),
    fromName: names[first.sourceAccountId]?.name ?? "",
    toName: destinations.size === 1 ? (names[first.destinationAccountId]?.name ?? null) : null,
    toCount: destinations.size,
  };
}
