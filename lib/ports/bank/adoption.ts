import type { Queryable } from "@/lib/db/transaction";

export const TAKEN = "The bank account of this installation belongs to another organization.";

export interface Adoption {
  organizationId: string;
  /** Receives the deposits; null until the organization has an income source. */
  incomeAccountId: string | null;
  /** Bank time: earlier deposits are part of the balance that was booked when the income source was opened. */
  depositsAfter: Date | null;
  /** What it held then, in cents, with which its statement begins; null: adopted before this was kept. */
  openingInCents: number | null;
  /** Business time. */
  openedAt: Date | null;
  /** Transactions that it includes though nobody could read when they were posted. */
  openingIncludes: string[];
}

/** Who has adopted an account that the whole installation shares; null: nobody yet. */
export async function readAdoption(database: Queryable, bankAccount: string): Promise<Adoption | null> {
  const { rows } = await database.query<Adoption>({
    name: "read_adoption",
    text: `select organization_id as "organizationId", income_account_id as "incomeAccountId",
                  deposits_after as "depositsAfter", opening_in_cents as "openingInCents", opened_at as "openedAt",
                  opening_includes as "openingIncludes"
             from adopted_bank_accounts where bank_account = $1`,
    values: [bankAccount],
  });
  return rows[0] ?? null;
}

/** Adopts the account for the organization, unless another one was first. @returns whose it is now */
export async function adopt(
  database: Queryable,
  bankAccount: string,
  organizationId: string,
): Promise<Adoption> {
  await database.query({
    name: "adopt_bank_account",
    text: `insert into adopted_bank_accounts (bank_account, organization_id) values ($1, $2)
           on conflict (bank_account) do nothing`,
    values: [bankAccount, organizationId],
  });
  const adoption = await readAdoption(database, bankAccount);
  if (!adoption) throw new Error("An adopted account was not found");
  return adoption;
}

/**
 * Lets deposits go to this income source from now on.
 * @param input.depositsAfter kept from the first time, with the opening balance and what it includes
 */
export async function receiveOn(
  database: Queryable,
  input: {
    bankAccount: string;
    organizationId: string;
    incomeAccountId: string;
    depositsAfter: Date;
    openingInCents: number;
    openingIncludes: readonly string[];
    openedAt: Date;
  },
): Promise<void> {
  await database.query({
    name: "receive_on_account",
    text: `update adopted_bank_accounts
              set income_account_id = $3, deposits_after = coalesce(deposits_after, $4),
                  opening_in_cents = case when deposits_after is null then $5 else opening_in_cents end,
                  opened_at = case when deposits_after is null then $6 else opened_at end,
                  opening_includes = case when deposits_after is null then $7 else opening_includes end
            where bank_account = $1 and organization_id = $2`,
    values: [
      input.bankAccount,
      input.organizationId,
      input.incomeAccountId,
      input.depositsAfter,
      input.openingInCents,
      input.openedAt,
      input.openingIncludes,
    ],
  });
}
