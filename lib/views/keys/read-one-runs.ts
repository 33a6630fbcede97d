import type { PermissionOf } from "@/lib/contract/permissions";
import type { LiveRule } from "@/lib/core/keys/read-key-rules";
import { readAccountFacts, readLimitsUsed } from "@/lib/core/rules/read-rule-facts";
import type { Context } from "@/lib/core/shared/context";
import { covers } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { calendarDate } from "@/lib/engine/calendar-date";
import { evaluate } from "@/lib/engine/evaluate";
import { withBase } from "@/lib/engine/run-facts";

/** Of more rules than this, one run is not worked out: more are not listed. */
const WORKED_OUT = 12;

/**
 * What one run of each rule that a key may run would move of the balances now, without an amount of its own, in cents by
 * the rule's id; null where a value is not known.
 */
export async function readOneRuns(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  timeZone: string,
  runs: PermissionOf<"TRIGGER_RULES"> | null,
  live: readonly LiveRule[],
): Promise<Record<string, number | null>> {
  const rules = runs ? live.filter((rule) => covers(runs.rules, rule.id)).slice(0, WORKED_OUT) : [];
  if (!runs || rules.length === 0) return {};
  const accountIds = [...new Set(rules.flatMap(({ definition }) => accountsOf(definition)))];
  const accounts = await readAccountFacts(database, { organizationId }, accountIds);
  const results = await Promise.all(
    rules.map(async ({ id, definition }) => {
      const limitsUsedInCents = await readLimitsUsed(
        database,
        { organizationId, now, timeZone },
        { ruleId: id, definition },
      );
      const facts = {
        at: now.toISOString(),
        date: calendarDate(now, timeZone),
        incomingAmountInCents: null,
        isApprovedByPerson: runs.approval.required,
        accounts,
        limitsUsedInCents,
      };
      const base = { mode: "LIVE", incomingAmountInCents: null } as const;
      const evaluation = evaluate(definition, withBase(facts, definition.trigger.accountId, base));
      if (evaluation.kind === "UNKNOWN") return [id, null] as const;
      const moves = evaluation.plan.moves.filter((move) => move.outcome === "MOVE");
      return [id, moves.reduce((sum, move) => sum + move.amountInCents, 0)] as const;
    }),
  );
  return Object.fromEntries(results);
}
