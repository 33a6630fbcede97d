import type { OutsideLinks } from "@/lib/core/demo/connect-outside";
import { ACCOUNT_NAMES, ACCOUNTS, type AccountName, OUTSIDE_NAMES } from "@/lib/core/demo/northwind";
import type { History } from "@/lib/core/demo/plan-history";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

interface Owner {
  organizationId: string;
  beneficiaryId: string;
}

/** Opens the demo's accounts: managed ones with an empty ledger, outside ones with their bank's last balance. */
export async function openAccounts(
  client: Queryable,
  owner: Owner,
  outside: OutsideLinks,
  history: History,
): Promise<Record<AccountName, string>> {
  const { foundedAt } = history;
  // One second apart: lists order by ID, which follows time.
  const idOf = (name: AccountName) =>
    newId(new Date(foundedAt.getTime() + ACCOUNT_NAMES.indexOf(name) * 1_000));
  const ids: Record<AccountName, string> = {
    "Client payments": idOf("Client payments"),
    Operating: idOf("Operating"),
    Taxes: idOf("Taxes"),
    Payroll: idOf("Payroll"),
    Profit: idOf("Profit"),
    "Owner’s pay": idOf("Owner’s pay"),
    "First Harbor Checking": idOf("First Harbor Checking"),
    "Summit Visa": idOf("Summit Visa"),
  };
  // Last to first: a pod links to an account that must exist already.
  for (const name of ACCOUNT_NAMES.toReversed())
    await openAccount(client, owner, outside, foundedAt, name, ids);
  await writeOutsideBalances(client, owner, history, ids);
  return ids;
}

async function openAccount(
  client: Queryable,
  { organizationId, beneficiaryId }: Owner,
  outside: OutsideLinks,
  openedAt: Date,
  name: AccountName,
  ids: Record<AccountName, string>,
): Promise<void> {
  const account = ACCOUNTS[name];
  const link = outside.get(name);
  await client.query(
    `insert into accounts (organization_id, id, type, name, description, external_account_type, beneficiary_id,
        institution_name, account_number_last4, floor_in_cents, savings_target_in_cents, linked_account_id,
        connection_id, provider_account_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
    [
      organizationId,
      ids[name],
      account.type,
      name,
      account.description ?? null,
      account.externalAccountType ?? null,
      beneficiaryId,
      account.institutionName ?? null,
      account.numberEnding ?? null,
      account.floorInCents ?? null,
      account.savingsTargetInCents ?? null,
      account.linkedTo ? ids[account.linkedTo] : null,
      link?.connectionId ?? null,
      link?.providerAccountId ?? null,
      openedAt,
    ],
  );
  if (account.type === "EXTERNAL_ACCOUNT") return;
  await client.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'MANAGED')", [
    organizationId,
    ids[name],
  ]);
}

/** What the history can draw on. The first refresh replaces it with the institutions' balances. */
async function writeOutsideBalances(
  client: Queryable,
  { organizationId }: Owner,
  { balancesRefreshedAt }: History,
  ids: Record<AccountName, string>,
): Promise<void> {
  for (const name of OUTSIDE_NAMES) {
    await client.query(
      `insert into provider_balances (organization_id, account_id, balance_in_cents, refreshed_at)
       values ($1, $2, $3, $4)`,
      [organizationId, ids[name], ACCOUNTS[name].balanceInCents, balancesRefreshedAt],
    );
  }
}
