import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

export interface Deposit {
  organizationId: string;
  /** The bank's own reference: a deposit that is told twice counts once. */
  reference: string;
  /** A pod or an income source. */
  accountId: string;
  amountInCents: number;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
  payerName: string;
  /** Business time. */
  arrivedAt: Date;
}

/**
 * Books money that has arrived from outside.
 * @returns the transfer's id, or null when this reference was booked before.
 */
export async function recordDeposit(
  services: Pick<Services, "pool">,
  deposit: Deposit,
): Promise<string | null> {
  const transferId = newId(deposit.arrivedAt);
  const { rows } = await services.pool.query<{ is_new: boolean }>(
    "select record_deposit($1, $2, $3, $4, $5, $6, $7, $8, $9) as is_new",
    [
      deposit.organizationId,
      transferId,
      newId(deposit.arrivedAt),
      deposit.reference,
      deposit.accountId,
      deposit.amountInCents,
      deposit.origin,
      deposit.payerName,
      deposit.arrivedAt,
    ],
  );
  return rows[0]?.is_new ? transferId : null;
}
