import type { AccountSummaryRow } from "@/lib/core/ledger/read-accounts";
import { accountPageKind } from "@/lib/views/accounts/read-account-page";
import { listWaitingChangesOf } from "@/lib/views/policies/list-waiting-changes-of";
import type { Reading } from "@/lib/views/reading";

type Row = Pick<
  AccountSummaryRow,
  | "id"
  | "name"
  | "type"
  | "externalAccountType"
  | "description"
  | "linkedAccountId"
  | "updatedAt"
  | "deletedAt"
> & {
  floorInCents: number | null;
  savingsTargetInCents: number | null;
  hasOwnBankAccount: boolean | null;
};

const MAXIMUM_LIABILITIES = 200;

/** The form values of an open account; null if the organization has no such account or it is closed. */
export async function readAccountForm(
  { services, context }: Reading<"pool" | "bankCapabilities">,
  accountId: string,
) {
  const { rows } = await services.pool.query<Row>({
    name: "read_account_form",
    text: `
      (select id, name, type, external_account_type as "externalAccountType", description,
          floor_in_cents as "floorInCents", savings_target_in_cents as "savingsTargetInCents",
          linked_account_id as "linkedAccountId", updated_at as "updatedAt", deleted_at as "deletedAt",
          (select is_wanted from own_bank_accounts o
            where o.organization_id = $1 and o.account_id = $2) as "hasOwnBankAccount"
        from accounts where organization_id = $1 and id = $2 and not is_payee)
      union all
      (select id, name, type, external_account_type, description, floor_in_cents, savings_target_in_cents,
          linked_account_id, updated_at, deleted_at, null
        from accounts where organization_id = $1 and id <> $2 and external_account_type = 'LIABILITY'
          and deleted_at is null order by id limit ${MAXIMUM_LIABILITIES})`,
    values: [context.organizationId, accountId],
  });
  const account = rows.find((row) => row.id === accountId);
  if (!account || account.deletedAt) return null;
  return {
    accountId,
    seenUpdatedAt: account.updatedAt.toISOString(),
    kind: accountPageKind(account),
    name: account.name,
    description: account.description,
    floorInCents: account.floorInCents,
    /** Of its floor, what waits for signatures. */
    waitingChanges: await listWaitingChangesOf({ services, context }, ["ACCOUNT_FLOOR"], accountId),
    savingsTargetInCents: account.savingsTargetInCents,
    linkedAccountId: account.linkedAccountId,
    /** Whether a pod has its own account at the bank. Null: it cannot. */
    hasOwnBankAccount:
      services.bankCapabilities.ownAccounts && account.type === "POD"
        ? (account.hasOwnBankAccount ?? false)
        : null,
    /** Debts that a pod may be linked to. */
    liabilities: rows.filter((row) => row.id !== accountId).map(({ id, name }) => ({ id, name })),
  };
}

/** Initial values of an account's forms. */
export type AccountFormView = NonNullable<Awaited<ReturnType<typeof readAccountForm>>>;
