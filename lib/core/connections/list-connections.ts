import type { ConnectedAccountView, ConnectionView } from "@/lib/contract/connections";
import { connectionHref } from "@/lib/contract/hrefs";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** Beyond this many connections, or accounts in them, the list would need pages. */
const MAXIMUM_ACCOUNTS = 500;

interface Row {
  id: string;
  institution_name: string;
  status: ConnectionView["status"];
  error_code: string | null;
  last_refreshed_at: Date | null;
  refresh_due_at: Date | null;
  account_id: string | null;
  name: string | null;
  external_account_type: ConnectedAccountView["externalAccountType"] | null;
  account_number_last4: string | null;
  provider_account_id: string | null;
  last_known_in_cents: number | null;
  is_balance_known: boolean;
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
      select c.id, c.institution_name, c.status, c.error_code, c.last_refreshed_at, c.refresh_due_at,
          a.id as account_id, a.name, a.external_account_type, a.account_number_last4, a.provider_account_id,
          coalesce(p.balance_in_cents, p.last_known_balance_in_cents) as last_known_in_cents,
          p.balance_in_cents is not null as is_balance_known
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
    institutionName: row.institution_name,
    status: row.status,
    errorCode: row.error_code,
    lastRefreshedAt: row.last_refreshed_at?.toISOString() ?? null,
    nextRefreshAt: row.refresh_due_at?.toISOString() ?? null,
    accounts: [],
  };
}

function toAccount(row: Row): ConnectedAccountView | null {
  const { account_id: id, name, external_account_type: externalAccountType } = row;
  if (id === null || name === null || externalAccountType === null || row.provider_account_id === null) {
    return null;
  }
  return {
    id,
    name,
    externalAccountType,
    numberEnding: row.account_number_last4,
    providerAccountId: row.provider_account_id,
    lastKnownBalanceInCents: row.last_known_in_cents,
    isBalanceKnown: row.is_balance_known,
  };
}
