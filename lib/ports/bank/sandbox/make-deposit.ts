import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import { bankingDateOf } from "@/lib/contract/banking-days";
import { bankingDaysLater } from "@/lib/ports/bank/sandbox/settlement-times";

export interface NewDeposit {
  organizationId: string;
  /** A pod or an income source. */
  accountId: string;
  amountInCents: number;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
  payerName: string;
  businessNow: Date;
}

export interface MadeDeposit {
  reference: string;
  /** When the money is there: at once, or when the check has cleared. */
  arrivesAt: Date;
}

/** The deposit and its notice in one statement, so that there is never one without the other. */
export async function makeDeposit(pool: Pool, deposit: NewDeposit): Promise<MadeDeposit> {
  const reference = `SBX-${uuidv7()}`;
  const arrivesAt =
    deposit.origin === "CHECK_DEPOSIT"
      ? bankingDaysLater(bankingDateOf(deposit.businessNow), 1)
      : deposit.businessNow;
  await pool.query({
    name: "sandbox_bank_make_deposit",
    text: `with made as (
             insert into sandbox_bank_deposits
               (organization_id, reference, account_id, origin, amount_in_cents, payer_name, made_at)
             values ($1, $2, $3, $4, $5, $6, $7))
           insert into sandbox_bank_notices (organization_id, notice_reference, deposit_reference, kind, due_at)
           values ($1, $8, $2, 'DEPOSITED', $9)`,
    values: [
      deposit.organizationId,
      reference,
      deposit.accountId,
      deposit.origin,
      deposit.amountInCents,
      deposit.payerName,
      deposit.businessNow,
      uuidv7(),
      arrivesAt,
    ],
  });
  return { reference, arrivesAt };
}
