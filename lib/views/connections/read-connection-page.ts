import type { ExternalAccountType } from "@/lib/contract/account";
import { isBankingDay } from "@/lib/contract/banking-days";
import { accountHref, ruleHref } from "@/lib/contract/hrefs";

import type {
  ConnectionAccountView,
  ConnectionPageView,
  HeldUpView,
  RefreshDayState,
} from "@/lib/contract/views/connections-view";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";

const DAYS = 14;
const MAXIMUM_ACCOUNTS = 100;
/** More are not listed. */
const MAXIMUM_HELD_UP = 20;

interface ConnectionRow {
  id: string;
  provider: AggregatorPort["provider"];
  institution_name: string;
  status: ConnectionPageView["status"];
  error_code: string | null;
  failing_since: Date | null;
  created_at: Date;
  last_refreshed_at: Date | null;
  refresh_due_at: Date | null;
}

/** One connection for any member; null: the organization has none with this ID. */
export async function readConnectionPage(
  services: Pick<Services, "pool">,
  aggregator: Pick<AggregatorPort, "provider" | "isSandbox">,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<ConnectionPageView | null> {
  const { pool } = services;
  const { organizationId, actor } = context;
  const { rows } = await pool.query<ConnectionRow>({
    name: "read_connection",
    text: `
      select id, provider, institution_name, status, error_code, failing_since, created_at, last_refreshed_at,
          refresh_due_at
        from connections where organization_id = $1 and id = $2`,
    values: [organizationId, connectionId],
  });
  const row = rows[0];
  if (!row) return null;
  const [accounts, days, viewerHasPasskey] = await Promise.all([
    readAccounts(pool, organizationId, connectionId),
    readDays(pool, context, connectionId),
    hasPasskey(pool, actor.id),
  ]);
  const accountIds = accounts.map(({ id }) => id);
  return {
    id: row.id,
    institutionName: row.institution_name,
    status: row.status,
    errorCode: row.error_code,
    failingSince: row.failing_since?.toISOString() ?? null,
    connectedAt: row.created_at.toISOString(),
    lastRefreshedAt: row.last_refreshed_at?.toISOString() ?? null,
    nextRefreshAt: row.refresh_due_at?.toISOString() ?? null,
    accounts,
    days,
    heldUp: await readHeldUp(pool, context, accountIds),
    isSandbox: aggregator.isSandbox,
    isServed: row.provider === aggregator.provider,
    viewer: { canDecide: mayDecide(actor), hasPasskey: viewerHasPasskey },
  };
}

interface AccountRow {
  id: string;
  name: string;
  external_account_type: ExternalAccountType;
  account_number_last4: string | null;
  balance_in_cents: number | null;
  is_known: boolean;
  refreshed_at: Date | null;
  is_closed: boolean;
}

async function readAccounts(
  database: Queryable,
  organizationId: string,
  connectionId: string,
): Promise<ConnectionAccountView[]> {
  const { rows } = await database.query<AccountRow>({
    name: "read_connection_accounts",
    text: `
      select a.id, a.name, a.external_account_type, a.account_number_last4, p.refreshed_at,
          coalesce(p.balance_in_cents, p.last_known_balance_in_cents) as balance_in_cents,
          p.balance_in_cents is not null as is_known, a.deleted_at is not null as is_closed
        from accounts a
        left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
       where a.organization_id = $1 and a.connection_id = $2
       order by a.id
       limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId, connectionId],
  });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    href: accountHref(row.id),
    externalAccountType: row.external_account_type,
    numberEnding: row.account_number_last4,
    balanceInCents: row.balance_in_cents,
    balanceAt: row.balance_in_cents === null ? null : (row.refreshed_at?.toISOString() ?? null),
    isKnown: row.is_known,
    isClosed: row.is_closed,
  }));
}

async function readDays(
  database: Queryable,
  { organizationId, now }: Context,
  connectionId: string,
): Promise<ConnectionPageView["days"]> {
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
): Promise<HeldUpView> {
  if (accountIds.length === 0) return { proposals: [], rules: [] };
  const [proposals, rules] = await Promise.all([
    database.query<{ id: string; to_name: string; amount_in_cents: number }>({
      name: "read_held_up_proposals",
      text: `
        select t.id, coalesce(d.name, t.counterparty_name, '') as to_name, t.amount_in_cents
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
    proposals: proposals.rows.map((row) => ({
      id: row.id,
      href: proposalHref(row.id),
      toName: row.to_name,
      amountInCents: row.amount_in_cents,
    })),
    rules: rules.rows.map(({ id, name }) => ({ id, name, href: ruleHref(id) })),
  };
}
