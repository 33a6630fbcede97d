import type { Queryable } from "@/lib/db/transaction";
import { MAXIMUM_BANK_WORDS } from "@/lib/ports/bank/bank-port";

/** What a bank said of an order beside its codes. */
export interface BankRemark {
  /** In its own words, untrusted; null: nothing. */
  words: string | null;
  isApprovedThere: boolean;
}

/** Keeps what a bank said of an order; later words replace earlier ones. In the transaction of what they explain. */
export async function keepBankRemark(
  database: Queryable,
  {
    organizationId,
    transferId,
    words,
    isApprovedThere,
    now,
  }: BankRemark & { organizationId: string; transferId: string; now: Date },
): Promise<void> {
  if (words === null && !isApprovedThere) return;
  await database.query({
    name: "keep_bank_remark",
    text: `insert into bank_remarks as r (organization_id, transfer_id, words, is_approved_there, remarked_at)
           values ($1, $2, $3, $4, $5)
           on conflict (organization_id, transfer_id) do update set words = coalesce(excluded.words, r.words),
             is_approved_there = r.is_approved_there or excluded.is_approved_there, remarked_at = excluded.remarked_at`,
    values: [
      organizationId,
      transferId,
      words && Array.from(words).slice(0, MAXIMUM_BANK_WORDS).join(""),
      isApprovedThere,
      now,
    ],
  });
}
