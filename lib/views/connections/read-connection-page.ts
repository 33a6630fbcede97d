import type { ExternalAccountType } from "@/lib/contract/account";
import { isBankingDay } from "@/lib/contract/banking-days";
import { accountHref, ruleHref } from "@/lib/contract/hrefs";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";
import type { Reading } from "@/lib/views/reading";

/** Outcome of a day's refreshes. `CLOSED`: banks were closed, and there was none. */
export type RefreshDayState = "SUCCEEDED" | "FAILED" | "NONE" | "CLOSED";

const DAYS = 14;
const MAXIMUM_ACCOUNTS = 100;
/** More are not listed. */
const MAXIMUM_HELD_UP = 20;

interface ConnectionRow {
  id: string;
  provider: AggregatorPort["provider"];
  institutionName: string;
  status: "ACTIVE" | "NEEDS_SIGN_IN" | "DISCONNECTED";
  /** The provider's code of what is wrong. */
  errorCode: string | null;
  failingSince: Date | null;
  connectedAt: Date;
  lastRefreshedAt: Date | null;
  nextRefreshAt: Date | null;
}

interface AccountRow {
  id: string;
  name: string;
  externalAccountType: ExternalAccountType;
  numberEnding: string | null;
  /** Null: never known. */
  balanceInCents: number | null;
  /** When the institution said so. */
  balanceAt: Date | null;
  /** False: it counts as unknown, and the last known value is shown. */
  isKnown: boolean;
  isClosed: boolean;
}

/** One connection for any member; null: the organization has none with this ID. */
export async function readConnectionPage(
  { services, context }: Reading,
  aggregator: Pick<AggregatorPort, "provider" | "isSandbox">,
  connectionId: string,
) {
  const { pool } = services;
  const { organizationId, actor } = context;
  const { rows } = await pool.query<ConnectionRow>({
    name: "read_connection",
    text: `
      select id, provider, institution_name as "institutionName", status, error_code as "errorCode",
          failing_since as "failingSince", created_at as "connectedAt", last_refreshed_at as "lastRefreshedAt",
          refresh_due_at as "nextRefreshAt"
        from connections where organization_id = $1 and id = $2`,
    values: [organizationId, connectionId],
  });
  if (!rows[0]) return null;
  const { provider, ...row } = rows[0];
  const [accounts, days, viewerHasPasskey] = await Promise.all([
    readAccounts(pool, organizationId, connectionId),
    readDays(pool, context, connectionId),
    hasPasskey(pool, actor.id),
  ]);
  const accountIds = accounts.map(({ id }) => id);
  return {
    ...row,
    /** All ISO 8601. */
    failingSince: row.failingSince?.toISOString() ?? null,
    connectedAt: row.connectedAt.toISOString(),
    lastRefreshedAt: row.lastRefreshedAt?.toISOString() ?? null,
    nextRefreshAt: row.nextRefreshAt?.toISOString() ?? null,
    accounts,
    /** The last two weeks, oldest first; `YYYY-MM-DD`. */
    days,
    heldUp: await readHeldUp(pool, context, accountIds),
    isSandbox: aggregator.isSandbox,
    /** False: it belongs to another provider than the configured one, and is not refreshed. */
    isServed: provider === aggregator.provider,
    viewer: { canDecide: mayDecide(actor), hasPasskey: viewerHasPasskey },
  };
}

/** One connection with an institution. */
export type ConnectionPageView = NonNullable<Awaited<ReturnType<typeof readConnectionPage>>>;

async function readAccounts(database: Queryable, organizationId: string, connectionId: string) {
  const { rows } = await database.query<AccountRow>({
    name: "read_connection_accounts",
    text: `
      select a.id, a.name, a.external_account_type as "externalAccountType", a.account_number_last4 as "numberEnding",
          coalesce(p.balance_in_cents, p.last_known_balance_in_cents) as "balanceInCents",
          case when coalesce(p.balance_in_cents, p.last_known_balance_in_cents) is not null then p.refreshed_at end
            as "balanceAt",
          p.balance_in_cents is not null as "isKnown", a.deleted_at is not null as "isClosed"
        from accounts a
        left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
       where a.organization_id = $1 and a.connection_id = $2
       order by a.id
       limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId, connectionId],
  });
  return rows.map((row) => ({
    ...row,
    href: accountHref(row.id),
    /** ISO 8601; when the institution said so. */
    balanceAt: row.balanceAt?.toISOString() ?? null,
  }));
}

export type ConnectionAccountView = Awaited<ReturnType<typeof readAccounts>>[number];

async function readDays(database: Queryable, { organizationId, now }: Context, connectionId: string) {
  const { rows } = await database.query<{ date: string; succeeded: number; failed: number }>({
    name: "read_connection_days",
    text: `
      select (today.day - back)::date as date, coalesce(d.succeeded, 0) as succeeded, coalesce(d.failed, 0) as failed
        from (select ($3::timestamptz at time zone time_zone)::date as day from organizations where id = $1) today
        cross join generate_series(0, ${DAYS - 1}) as back
        left join connection_days d
          on d.organization_id = $1 and d.connection_id = $2 and d.day = today.day - back
       order by back desc`,
    values: [organizationId, connectionId, now],
  });
  return rows.map(({ date, succeeded, failed }) => ({ date, state: stateOf(date, succeeded, failed) }));
}

/** A day with failures that ended in success counts as good. */
function stateOf(date: string, succeeded: number, failed: number): RefreshDayState {
  if (succeeded > 0) return "SUCCEEDED";
  if (failed > 0) return "FAILED";
  return isBankingDay(date) ? "NONE" : "CLOSED";
}

async function readHeldUp(
  database: Queryable,
  { organizationId, now }: Context,
  accountIds: readonly string[],
) {
  if (accountIds.length === 0)
    return {
      /** Proposals that would draw on its accounts. */
      proposals: [] /** Active rules that read or draw on its accounts. */,
      rules: [],
    };
  const [proposals, rules] = await Promise.all([
    database.query<{ id: string; toName: string; amountInCents: number }>({
      name: "read_held_up_proposals",
      text: `
        select t.id, coalesce(d.name, t.counterparty_name, '') as "toName", t.amount_in_cents as "amountInCents"
          from proposals p
          join transfers t on t.organization_id = p.organization_id and t.id = p.id
          left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
         where p.organization_id = $1 and p.state = 'WAITING' and p.expires_at > $2
           and t.source_account_id = any ($3)
         order by p.expires_at, p.id
         limit ${MAXIMUM_HELD_UP}`,
      values: [organizationId, now, accountIds],
    }),
    database.query<{ id: string; name: string }>({
      name: "read_held_up_rules",
      // An ID occurs in a definition only where it is used as one.
      text: `
        select r.id, r.name
          from rules r
          join rule_versions v on v.organization_id = r.organization_id and v.rule_id = r.id
           and v.version = r.active_version
         where r.organization_id = $1 and r.deleted_at is null
           and exists (select from unnest($2::text[]) as account (id) where position(account.id in v.definition::text) > 0)
         order by r.id
         limit ${MAXIMUM_HELD_UP}`,
      values: [organizationId, accountIds],
    }),
  ]);
  return {
    proposals: proposals.rows.map((row) => ({ ...row, href: proposalHref(row.id) })),
    rules: rules.rows.map(({ id, name }) => ({ id, name, href: ruleHref(id) })),
  };
}
