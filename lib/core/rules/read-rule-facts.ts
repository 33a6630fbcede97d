import type { AccountFacts, RuleFacts, UsageByPeriod } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { type OutgoingRoom, readOutgoingRoom } from "@/lib/core/transfers/outgoing-cap";
import type { Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { periodStart } from "@/lib/engine/limits";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

export interface RuleSubject {
  ruleId: string;
  definition: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
}

interface Where {
  organizationId: string;
  /** Business time. */
  now: Date;
  timeZone: string;
}

/**
 * The facts that a plan of this rule depends on, as of now, without the run's incoming amount (`withBase`). Consistent
 * only in a transaction that has locked the ledgers.
 */
export async function readRuleFacts(
  database: Queryable,
  where: Where,
  subject: RuleSubject,
  isApprovedByPerson: boolean,
): Promise<RuleFacts> {
  const [facts] = await readFactsOfRules(database, where, [subject], isApprovedByPerson);
  if (!facts) throw new Error("The facts of a rule were not read.");
  return facts;
}

/** As `readRuleFacts`, for each rule as if it ran alone; their accounts are read once. */
export async function readFactsOfRules(
  database: Queryable,
  where: Where,
  subjects: readonly RuleSubject[],
  isApprovedByPerson: boolean,
): Promise<RuleFacts[]> {
  if (subjects.length === 0) return [];
  const ids = new Set(subjects.flatMap(({ definition }) => accountsOf(definition)));
  const accounts = await readAccountFacts(database, where, [...ids]);
  const outgoing = outgoingFact(await readOutgoingRoom(database, where.organizationId, where.now));
  const facts: RuleFacts[] = [];
  for (const subject of subjects) {
    const own = accountsOf(subject.definition).flatMap((id) => (accounts[id] ? [[id, accounts[id]]] : []));
    facts.push({
      at: where.now.toISOString(),
      date: calendarDate(where.now, where.timeZone),
      incomingAmountInCents: null,
      isApprovedByPerson,
      accounts: Object.fromEntries(own),
      limitsUsedInCents: await readLimitsUsed(database, where, subject),
      ...outgoing,
    });
  }
  return facts;
}

/** Absent without a cap, so that facts of organizations without one stay as they were. */
export function outgoingFact(room: OutgoingRoom | null | undefined): Pick<RuleFacts, "outgoingRoomInCents"> {
  return room ? { outgoingRoomInCents: room.leftInCents } : {};
}

interface AccountRow extends AccountFacts {
  id: string;
}

/** The facts of accounts by id; accounts of other organizations are omitted. */
export async function readAccountFacts(
  database: Queryable,
  { organizationId }: Pick<Where, "organizationId">,
  accountIds: readonly string[],
): Promise<Record<string, AccountFacts>> {
  const { rows } = await database.query<AccountRow>({
    name: "read_account_facts",
    text: "select * from read_account_facts($1, $2)",
    values: [organizationId, accountIds],
  });
  return countPayments(
    database,
    organizationId,
    Object.fromEntries(rows.map(({ id, ...facts }) => [id, facts])),
  );
}

/** Adds to the facts of debts what Sluice has paid of them. */
export async function countPayments(
  database: Queryable,
  organizationId: string,
  accounts: Readonly<Record<string, AccountFacts>>,
): Promise<Record<string, AccountFacts>> {
  const debts = Object.keys(accounts).filter((id) => accounts[id] && isDebt(accounts[id]));
  const payments = await readDebtPayments(
    database,
    debts.map((accountId) => ({ organizationId, accountId })),
  );
  return Object.fromEntries(
    Object.entries(accounts).map(([id, facts]) => [
      id,
      withPayments(facts, payments.get(`${organizationId} ${id}`)),
    ]),
  );
}

type Payments = NonNullable<AccountFacts["paid"]>;

interface PaymentRow extends Payments {
  organizationId: string;
  id: string;
}

/**
 * What Sluice has paid of the last statement and the next minimum payment of debts, by `<organization> <account>`.
 * Consistent only in a transaction after `lock_facts`.
 */
export async function readDebtPayments(
  database: Queryable,
  debts: readonly { organizationId: string; accountId: string }[],
): Promise<Map<string, Payments>> {
  if (debts.length === 0) return new Map();
  const { rows } = await database.query<PaymentRow>({
    name: "read_debt_payments",
    text: `
      select organization_id as "organizationId", id, "lastStatementDate", "nextPaymentDueDate", "ofStatementInCents",
          "ofMinimumInCents"
        from read_debt_payments($1, $2)`,
    values: [debts.map((debt) => debt.organizationId), debts.map((debt) => debt.accountId)],
  });
  return new Map(rows.map(({ organizationId, id, ...paid }) => [`${organizationId} ${id}`, paid]));
}

export function isDebt(account: Pick<AccountFacts, "externalAccountType">): boolean {
  return account.externalAccountType === "LIABILITY";
}

export function withPayments(facts: AccountFacts, paid: Payments | undefined): AccountFacts {
  return paid ? { ...facts, paid } : facts;
}

/** What each limit of a rule has used in its current period, in cents by id. */
export async function readLimitsUsed(
  database: Queryable,
  where: Where,
  { ruleId, definition }: Pick<RuleSubject, "ruleId"> & { definition: Pick<RuleDefinition, "limits"> },
): Promise<Record<string, number>> {
  const date = calendarDate(where.now, where.timeZone);
  const limits = definition.limits.flatMap(({ id, period }) => {
    const from = periodStart(period, date);
    return from === null ? [] : [{ id, from }];
  });
  if (limits.length === 0) return {};
  const { rows } = await database.query<{ id: string; usedInCents: number }>({
    name: "read_limits_used",
    text: `select id, used_in_cents as "usedInCents" from read_limits_used($1, $2, $3, $4, $5)`,
    values: [
      where.organizationId,
      ruleId,
      limits.map((limit) => limit.id),
      limits.map((limit) => limit.from),
      where.timeZone,
    ],
  });
  return Object.fromEntries(rows.map((row) => [row.id, row.usedInCents]));
}

/**
 * What every limit that any version of a rule had has used, in each period: an editor may bring back a limit or change
 * its period.
 */
export async function readUsageByPeriod(
  database: Queryable,
  where: Where,
  ruleId: string,
): Promise<UsageByPeriod> {
  const { rows } = await database.query<{ id: string }>({
    name: "list_limits_of_rule",
    text: `select distinct l.value ->> 'id' as id
             from rule_versions v
             cross join lateral jsonb_array_elements(
               case jsonb_typeof(v.definition -> 'limits') when 'array' then v.definition -> 'limits' else '[]' end) l (value)
            where v.organization_id = $1 and v.rule_id = $2 and l.value ->> 'id' is not null`,
    values: [where.organizationId, ruleId],
  });
  const usedIn = (period: keyof UsageByPeriod) => {
    const limits = rows.map(({ id }) => ({ id, period, amountInCents: 0 }));
    return readLimitsUsed(database, where, { ruleId, definition: { limits } });
  };
  const [DAY, WEEK, MONTH, YEAR] = await Promise.all([
    usedIn("DAY"),
    usedIn("WEEK"),
    usedIn("MONTH"),
    usedIn("YEAR"),
  ]);
  return { DAY, WEEK, MONTH, YEAR };
}
