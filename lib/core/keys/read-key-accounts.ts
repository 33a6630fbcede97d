import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import type { KeyAccountView } from "@/lib/contract/keys/key-facts";
import { canBeSource } from "@/lib/contract/rules/account-sides";
import type { MovableAccount } from "@/lib/core/keys/rules-that-follow";
import type { Queryable } from "@/lib/db/transaction";

/** Same limit as the page of accounts. Permissions may name closed accounts, which then have no name here. */
const MAXIMUM_ACCOUNTS = 1_000;

interface AccountRow {
  id: string;
  name: string;
  type: AccountType;
  externalAccountType: ExternalAccountType | null;
  isClosed: boolean;
  floorInCents: number | null;
  availableInCents: number | null;
}

export type KeyAccount = KeyAccountView & MovableAccount;

/** The accounts that permissions can name, closed ones last, with what a transfer could take from each now. */
export async function readKeyAccounts(database: Queryable, organizationId: string): Promise<KeyAccount[]> {
  const { rows } = await database.query<AccountRow>({
    name: "read_key_accounts",
    text: `
      select a.id, a.name, a.type, a.external_account_type as "externalAccountType", a.deleted_at is not null as "isClosed",
          a.floor_in_cents as "floorInCents",
          coalesce(
            l.credits_in_cents - l.debits_in_cents - l.held_in_cents,
            coalesce(p.available_balance_in_cents, p.balance_in_cents) - pulled.amount)::bigint as "availableInCents"
        from accounts a
        left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
        left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
        left join lateral (
          select coalesce(sum(t.amount_in_cents), 0) as amount from transfers t
           where t.organization_id = $1 and t.source_account_id = a.id and t.direction <> 'INTERNAL' and t.execution_mode = 'LIVE'
             and t.accepted_at >= p.refreshed_at and t.status in ('PROCESSING', 'COMPLETE')) pulled
          on a.type = 'EXTERNAL_ACCOUNT'
       where a.organization_id = $1
       order by a.deleted_at is not null, array_position(array['INCOME_SOURCE', 'POD', 'EXTERNAL_ACCOUNT'], a.type), a.id
       limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId],
  });
  return rows.map(({ type, externalAccountType, ...row }) => ({
    ...row,
    kind: externalAccountType === "LIABILITY" ? "LIABILITY" : type,
    isOutside: type === "EXTERNAL_ACCOUNT",
    canBeSource: canBeSource(type, externalAccountType),
  }));
}

/** Drops the amounts, which pages that only name accounts do not need. */
export function nameOnly({ availableInCents: _, floorInCents: __, ...view }: KeyAccount): KeyAccountView {
  return view;
}
