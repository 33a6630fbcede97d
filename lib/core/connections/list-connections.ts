import type { ConnectedAccountView, ConnectionView } from "@/lib/contract/connections";
import { connectionHref } from "@/lib/contract/hrefs";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** Beyond this many connections, or accounts in them, the list would need pages. */
const MAXIMUM_ACCOUNTS = 500;

interface Row {
  id: string;
  institutionName: string;
  status: ConnectionView["status"];
  errorCode: string | null;
  lastRefreshedAt: Date | null;
  refreshDueAt: Date | null;
  accountId: string | null;
  name: string | null;
  externalAccountType: ConnectedAccountView["externalAccountType"] | null;
  numberEnding: string | null;
  providerAccountId: string | null;
  lastKnownBalanceInCents: number | null;
  isBalanceKnown: boolean;
}

/** The organization's connections with their open accounts, oldest first. Ended ones only with `includeEnded`. */
export async function listConnections(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { includeEnded = false } = {},
): Promise<ConnectionView[]> {
  const { rows } = await services.pool.query<Row>({
    name: "list_connections",
    text: `
      select c.id, c.institution_name as "institutionName", c.status, c.error_code as "errorCode",
          c.last_refreshed_at as "lastRefreshedAt", c.refresh_due_at as "refreshDueAt",
          a.id as "accountId", a.name, a.external_account_type as "externalAccountType",
          a.account_number_last4 as "numberEnding", a.provider_account_id as "providerAccountId",
          coalesce(p.balance_in_cents, p.last_known_balance_in_cents) as "lastKnownBalanceInCents",
          p.balance_in_cents is not null as "isBalanceKnown"
        from connections c
        left join accounts a
          on a.organization_id = c.organization_id and a.connection_id = c.id and a.deleted_at is null
        left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
       where c.organization_id = $1 and ($2 or c.status <> 'DISCONNECTED')
       order by c.id, a.id
       limit $3`,
    values: [context.organizationId, includeEnded, MAXIMUM_ACCOUNTS],
  });
  const views = new Map<string, ConnectionView>();
  for (const row of rows) {
    const view = views.get(row.id) ?? toView(row);
    views.set(row.id, view);
    const account = toAccount(row);
    if (account) view.accounts.push(account);
  }
  return [...views.values()];
}

function toView(row: Row): ConnectionView {
  return {
    id: row.id,
    href: connectionHref(row.id),
    institutionName: row.institutionName,
    status: row.status,
    errorCode: row.errorCode,
    lastRefreshedAt: row.lastRefreshedAt?.toISOString() ?? null,
    nextRefreshAt: row.refreshDueAt?.toISOString() ?? null,
    accounts: [],
  };
}

function toAccount(row: Row): ConnectedAccountView | null {
  const { accountId: id, name, externalAccountType, numberEnding, providerAccountId } = row;
  const { lastKnownBalanceInCents, isBalanceKnown } = row;
  if (id === null || name === null || externalAccountType === null || providerAccountId === null) return null;
  const balance = { lastKnownBalanceInCents, isBalanceKnown };
  return { id, name, externalAccountType, numberEnding, providerAccountId, ...balance };
}
