import type { AccountSummary, AccountType } from "@/lib/contract/account";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import { type AccountSummaryRow, SUMMARY_COLUMNS, toAccountSummary } from "@/lib/core/ledger/account-row";
import type { Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

export interface ListAccountsInput extends PageRequest {
  /** Empty: all types. */
  types: readonly AccountType[];
  /** `ACTIVE` leaves out closed accounts. */
  state: "ALL" | "ACTIVE";
}

type Row = AccountSummaryRow & { linked: AccountSummaryRow | null };

/**
 * Summaries of every account of the organization, oldest first, whatever the key's list says (specification, Part 4,
 * "Accounts": "Returns every account in the organization").
 */
export async function listAccounts(
  services: Pick<Services, "pool">,
  context: Context,
  input: ListAccountsInput,
): Promise<Page<AccountSummary>> {
  const { rows } = await services.pool.query<AccountSummaryRow>({
    name: "list_accounts",
    text: `
      select ${SUMMARY_COLUMNS}
        from accounts a
        left join beneficiaries b on b.organization_id = a.organization_id and b.id = a.beneficiary_id
       where a.organization_id = $1
         and (cardinality($2::text[]) = 0 or a.type = any ($2))
         and ($3 = 'ALL' or a.deleted_at is null)
       order by a.id
       limit $4 offset $5`,
    values: [
      context.organizationId,
      input.types,
      input.state,
      input.pageSize + 1,
      (input.page - 1) * input.pageSize,
    ],
  });
  const linked = await readLinked(services, context, rows);
  const withLinked: Row[] = rows.map((row) => ({
    ...row,
    linked: row.linked_account_id ? (linked.get(row.linked_account_id) ?? null) : null,
  }));
  return toPage(withLinked, input, (row) => toAccountSummary(row, row.linked));
}

/** The accounts that others of this page are linked to; no query when there are none. */
async function readLinked(services: Pick<Services, "pool">, context: Context, rows: AccountSummaryRow[]) {
  const ids = rows.flatMap((row) => row.linked_account_id ?? []);
  if (ids.length === 0) return new Map<string, AccountSummaryRow>();
  const { rows: linked } = await services.pool.query<AccountSummaryRow>({
    name: "list_linked_accounts",
    text: `
      select ${SUMMARY_COLUMNS}
        from accounts a
        left join beneficiaries b on b.organization_id = a.organization_id and b.id = a.beneficiary_id
       where a.organization_id = $1 and a.id = any ($2)`,
    values: [context.organizationId, ids],
  });
  return new Map(linked.map((row) => [row.id, row]));
}
