import type { FinancialProfile } from "@/lib/contract/financial-profile";
import { shareOf } from "@/lib/core/profile/shape-profile";
import type { Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** More accounts or connections are cut off. */
const MAXIMUM_ROWS = 500;
/** Transactions are fetched about once a day. */
const STALE_AFTER_MS = 2 * 86_400_000;

type Coverage = FinancialProfile["coverage"];
type AccountRow = Coverage["accounts"][number] & {
  targetInCents: number | null;
  balanceInCents: number | null;
};
type ConnectionRow = Omit<Coverage["staleConnections"][number], "lastRefreshedAt"> & {
  lastRefreshedAt: Date | null;
};

interface CoverageReading extends Pick<Coverage, "accounts" | "staleConnections"> {
  firstDate: string | null;
  targets: FinancialProfile["savings"]["targets"];
}

/**
 * The data behind a profile, and the savings targets with current balances. Closed accounts count: they moved money.
 */
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
  const firstDates = accounts.rows.flatMap((row) => row.firstDate ?? []).sort();
  return {
    accounts: accounts.rows.map(({ targetInCents, balanceInCents, ...account }) => account),
    staleConnections: connections.rows.map((row) => ({
      ...row,
      lastRefreshedAt: row.lastRefreshedAt?.toISOString() ?? null,
    })),
    firstDate: firstDates[0] ?? null,
    targets: accounts.rows.flatMap(({ id, name, targetInCents, balanceInCents }) =>
      targetInCents === null
        ? []
        : {
            accountId: id,
            name,
            targetInCents,
            balanceInCents: balanceInCents ?? 0,
            share: shareOf(balanceInCents ?? 0, targetInCents),
          },
    ),
  };
}

/** A managed account is complete from its opening; an outside one from its first observed transaction. */
const READ_ACCOUNTS = `
  select a.id, a.name, a.type, a.external_account_type as "externalAccountType",
      case when a.deleted_at is null then a.savings_target_in_cents end as "targetInCents",
      l.credits_in_cents - l.debits_in_cents as "balanceInCents",
      (case when a.type = 'EXTERNAL_ACCOUNT' then seen.first_at else a.created_at end at time zone o.time_zone)::date
        as "firstDate"
    from organizations o
    join accounts a on a.organization_id = o.id
    left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
    left join lateral (
      select e.transaction_date as first_at from external_transactions e
       where e.organization_id = $1 and e.account_id = a.id and e.vanished_at is null
       order by e.transaction_date, e.id limit 1) seen on true
   where o.id = $1 and not a.is_payee
   order by a.id
   limit ${MAXIMUM_ROWS}`;

/** Includes connections that were disconnected on purpose: their later transactions are missing. */
const READ_STALE_CONNECTIONS = `
  select id, institution_name as "institutionName", status, error_code as "errorCode",
      last_refreshed_at as "lastRefreshedAt"
    from connections
   where organization_id = $1
     and (status <> 'ACTIVE' or error_code is not null or last_refreshed_at is null or last_refreshed_at < $2)
   order by id
   limit ${MAXIMUM_ROWS}`;
