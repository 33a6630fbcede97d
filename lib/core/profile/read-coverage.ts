import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import type { FinancialProfile } from "@/lib/contract/financial-profile";
import { shareOf } from "@/lib/core/profile/shape-profile";
import type { Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** An organization with more accounts or connections than this is shown the first of them. */
const MAXIMUM_ROWS = 500;
/** Transactions are read about once a day. */
const STALE_AFTER_MS = 2 * 86_400_000;

interface AccountRow {
  id: string;
  name: string;
  type: AccountType;
  external_account_type: ExternalAccountType | null;
  target_in_cents: number | null;
  balance_in_cents: number | null;
  first_date: string | null;
}

interface ConnectionRow {
  id: string;
  institution_name: string;
  status: "ACTIVE" | "NEEDS_SIGN_IN" | "DISCONNECTED";
  error_code: string | null;
  last_refreshed_at: Date | null;
}

export interface CoverageReading {
  accounts: FinancialProfile["coverage"]["accounts"];
  staleConnections: FinancialProfile["coverage"]["staleConnections"];
  firstDate: string | null;
  targets: FinancialProfile["savings"]["targets"];
}

/** What a profile rests on, and the savings targets with their balances of now. Closed accounts count: they moved money. */
export async function readCoverage(
  services: Pick<Services, "pool">,
  context: Pick<Context, "organizationId" | "now">,
): Promise<CoverageReading> {
  const [accounts, connections] = await Promise.all([
    services.pool.query<AccountRow>({
      name: "read_profile_accounts",
      text: READ_ACCOUNTS,
      values: [context.organizationId],
    }),
    services.pool.query<ConnectionRow>({
      name: "read_stale_connections",
      text: READ_STALE_CONNECTIONS,
      values: [context.organizationId, new Date(context.now.getTime() - STALE_AFTER_MS)],
    }),
  ]);
  const firstDates = accounts.rows.flatMap((row) => row.first_date ?? []).sort();
  return {
    accounts: accounts.rows.map((row) => ({
      id: row.id,
      name: row.name,
      type: row.type,
      externalAccountType: row.external_account_type,
      firstDate: row.first_date,
    })),
    staleConnections: connections.rows.map((row) => ({
      id: row.id,
      institutionName: row.institution_name,
      status: row.status,
      errorCode: row.error_code,
      lastRefreshedAt: row.last_refreshed_at?.toISOString() ?? null,
    })),
    firstDate: firstDates[0] ?? null,
    targets: accounts.rows.flatMap((row) =>
      row.target_in_cents === null
        ? []
        : {
            accountId: row.id,
            name: row.name,
            targetInCents: row.target_in_cents,
            balanceInCents: row.balance_in_cents ?? 0,
            share: shareOf(row.balance_in_cents ?? 0, row.target_in_cents),
          },
    ),
  };
}

/** A managed account is known whole from its opening; one outside from the first transaction that was seen. */
const READ_ACCOUNTS = `
  select a.id, a.name, a.type, a.external_account_type,
      case when a.deleted_at is null then a.savings_target_in_cents end as target_in_cents,
      l.credits_in_cents - l.debits_in_cents as balance_in_cents,
      (case when a.type = 'EXTERNAL_ACCOUNT' then seen.first_at else a.created_at end at time zone o.time_zone)::date
        as first_date
    from organizations o
    join accounts a on a.organization_id = o.id
    left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
    left join lateral (
      select e.transaction_date as first_at from external_transactions e
       where e.organization_id = $1 and e.account_id = a.id and e.vanished_at is null
       order by e.transaction_date, e.id limit 1) seen on true
   where o.id = $1
   order by a.id
   limit ${MAXIMUM_ROWS}`;

/** Those that were disconnected on purpose are history, and named: what came after is missing. */
const READ_STALE_CONNECTIONS = `
  select id, institution_name, status, error_code, last_refreshed_at
    from connections
   where organization_id = $1
     and (status <> 'ACTIVE' or error_code is not null or last_refreshed_at is null or last_refreshed_at < $2)
   order by id
   limit ${MAXIMUM_ROWS}`;
