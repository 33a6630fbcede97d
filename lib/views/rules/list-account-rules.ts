import type { AccountKind } from "@/lib/contract/account";
import { ruleHref } from "@/lib/contract/hrefs";
import { destinationsOf, scheduleZoneOf } from "@/lib/contract/rules/definition-parts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import type { Context } from "@/lib/core/shared/context";
import { readDefinitions } from "@/lib/core/shared/read-definitions";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { ruleLine } from "@/lib/words/rules/rule-line";

/** A rule, as shown on an account's page. */
export interface AccountRuleView {
  id: string;
  href: string;
  name: string;
  /** What it does, in one sentence. */
  line: string;
  /** What it does with the account: takes from it, fills it, starts there, or reads its balance. */
  part: "IN" | "OUT" | "IN_AND_OUT" | "STARTS" | "LOOKED_AT";
  state: "ACTIVE" | "PAUSED" | "INACTIVE";
  /** For an active rule with a schedule; ISO 8601. */
  nextRunAt: string | null;
  /** The schedule's, like in the rule's sentence. */
  nextRunTimeZone: string | null;
}

/** The rest is counted but not listed. */
const LISTED = 20;
/** The most rules read per account. */
const MAXIMUM_FOUND = 200;

interface RuleRow {
  id: string;
  name: string;
  definition: unknown;
  isActive: boolean;
  isPaused: boolean;
  nextRunAt: Date | null;
}

/**
 * The rules that name an account, in their active version, else in their latest. Active ones come first. Rules that
 * this version of Sluice cannot represent are left out.
 */
export async function listAccountRules(
  database: Queryable,
  { organizationId }: Pick<Context, "organizationId">,
  accountId: string,
) {
  const { rows } = await database.query<RuleRow>({
    name: "list_account_rules",
    // An ID occurs in a definition only where it is used as one.
    text: `
      select r.id, r.name, v.definition, r.active_version is not null as "isActive",
          r.paused_at is not null as "isPaused",
          r.next_run_at as "nextRunAt"
        from rules r
        join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id
         and v.version = coalesce(r.active_version, r.latest_version)
       where r.organization_id = $1 and r.deleted_at is null and position($2::text in v.definition::text) > 0
       order by r.active_version is null, r.id
       limit ${MAXIMUM_FOUND}`,
    values: [organizationId, accountId],
  });
  const definitions = await readDefinitions(rows.map(({ definition }) => definition));
  const found = rows.flatMap((row, index) => {
    const definition = definitions[index];
    return definition ? [{ row, definition }] : [];
  });
  const listed = found.slice(0, LISTED);
  const names = await readAccountNames(
    database,
    organizationId,
    listed.flatMap(({ definition }) => accountsOf(definition)),
  );
  return {
    /** Active ones first. */
    rules: listed.map(({ row, definition }) => describe(row, definition, accountId, names)),
    /** There are more than are listed. */
    count: found.length,
  };
}

/** The rules that name an account. */
export type AccountRulesView = Awaited<ReturnType<typeof listAccountRules>>;

/** The accounts with these IDs, as sentences about rules name them; unknown ones are left out. */
async function readAccountNames(
  database: Queryable,
  organizationId: string,
  accountIds: readonly string[],
): Promise<AccountNames> {
  if (accountIds.length === 0) return {};
  const { rows } = await database.query<{
    id: string;
    name: string;
    kind: Exclude<AccountKind, "EXTERNAL_ENTITY">;
    isClosed: boolean;
  }>({
    name: "name_accounts_of_rules_here",
    text: `
      select id, name, case when external_account_type = 'LIABILITY' then 'LIABILITY' else type end as kind,
          deleted_at is not null as "isClosed"
        from accounts where organization_id = $1 and id = any ($2)`,
    values: [organizationId, [...new Set(accountIds)]],
  });
  return Object.fromEntries(
    rows.map(({ id, name, kind, isClosed }) => [id, { name, kind, isClosed: isClosed }]),
  );
}

function describe(
  row: RuleRow,
  definition: RuleDefinition,
  accountId: string,
  names: AccountNames,
): AccountRuleView {
  return {
    id: row.id,
    href: ruleHref(row.id),
    name: row.name,
    line: ruleLine(definition, names),
    part: partOf(definition, accountId),
    state: row.isPaused ? "PAUSED" : row.isActive ? "ACTIVE" : "INACTIVE",
    nextRunAt: row.isActive && !row.isPaused ? (row.nextRunAt?.toISOString() ?? null) : null,
    nextRunTimeZone: scheduleZoneOf(definition),
  };
}

function partOf({ trigger, steps }: RuleDefinition, accountId: string) {
  const actions = steps.flatMap((step) => step.actions);
  const isTaken = actions.some((action) => action.sourceAccountId === accountId);
  const isGiven = actions.some((action) => destinationsOf(action).includes(accountId));
  if (isTaken) return isGiven ? "IN_AND_OUT" : "OUT";
  if (isGiven) return "IN";
  return trigger.accountId === accountId ? "STARTS" : "LOOKED_AT";
}
