import type { BankRail } from "@/lib/contract/bank-capabilities";
import { NoticeRounds } from "@/lib/core/transfers/notice-rounds";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Backoffs } from "@/lib/platform/outages";
import type { Services } from "@/lib/platform/services";
import {
  type BankNotice,
  type BankPort,
  BankUnavailable,
  type CorrectionNotice,
  type ReturnedNotice,
  type SettledNotice,
} from "@/lib/ports/bank/bank-port";

/** Of one organization; the rest follow in the next round. */
const NOTICES_PER_ROUND = 100;

/**
 * Reads the bank's notices and applies each once, by reference: a settlement books the transfer, a return fails it or,
 * after settlement, books the money back. Notices are acknowledged after the commit; after a crash in between they
 * arrive again and change nothing.
 * @param rounds keeps the backoff state between rounds
 * @returns how many organizations were processed, or `limit` if one of them has more.
 */
export async function collectBankNotices(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  limit: number,
  rounds = createBankRounds(services, bank),
): Promise<number> {
  return rounds.run(limit, async (organizationId, businessNow) => {
    const notices = await bank.notices({ organizationId, businessNow, limit: NOTICES_PER_ROUND });
    const applied = await applyAll(services, notices, businessNow, rounds.faults);
    if (applied.length > 0) {
      await bank.acknowledge({ organizationId, noticeReferences: applied, businessNow });
    }
    return applied.length === NOTICES_PER_ROUND;
  });
}

export function createBankRounds(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
): NoticeRounds {
  return new NoticeRounds(services, bank, "the bank", (error) => error instanceof BankUnavailable);
}

/**
 * Applies notices in order. One that fails is logged and retried later; until then it blocks later notices of the same
 * transfer or deposit, whose order matters, and no others.
 * @returns the references of the applied ones.
 */
async function applyAll(
  services: Pick<Services, "pool" | "log">,
  notices: readonly BankNotice[],
  businessNow: Date,
  faults: Backoffs,
): Promise<string[]> {
  const applied: string[] = [];
  for (const notice of notices) {
    const subject = "transferId" in notice ? notice.transferId : notice.depositReference;
    if (faults.isBackingOff(subject, businessNow)) continue;
    try {
      await applyNotice(services, notice, businessNow);
      applied.push(notice.noticeReference);
      faults.succeeded(subject);
    } catch (error) {
      faults.failed(subject, businessNow);
      const { organizationId, noticeReference } = notice;
      services.log.error(
        { err: error, organizationId, subject, noticeReference },
        "a bank notice could not be applied",
      );
    }
  }
  return applied;
}

async function applyNotice(
  services: Pick<Services, "pool" | "log">,
  notice: BankNotice,
  businessNow: Date,
): Promise<void> {
  const { organizationId, kind, occurredAt } = notice;
  switch (notice.kind) {
    case "DEPOSITED": {
      const { depositReference: reference, accountId, amountInCents, rail, payerName } = notice;
      const origin = rail === "CHECK" ? "CHECK_DEPOSIT" : "DIRECT_DEPOSIT";
      const arrival = {
        organizationId,
        reference,
        accountId,
        amountInCents,
        origin,
        rail,
        payerName,
      } as const;
      await recordDeposit(services, { ...arrival, arrivedAt: occurredAt });
      break;
    }
    case "DEPOSIT_RETURNED": {
      const transferId = await findDeposit(services, organizationId, notice.depositReference);
      await applyToTransfer(services, { ...notice, kind: "RETURNED", transferId }, businessNow);
      break;
    }
    case "CORRECTED":
      await correctOutsideAccount(services, notice, businessNow);
      break;
    default:
      await applyToTransfer(services, notice, businessNow);
  }
  // Counts notices, not transfers: the bank repeats those that were not acknowledged.
  incrementCounter("transfers", `BANK_${kind}`);
  services.log.debug({ organizationId, notice: kind }, "bank notice applied");
}

/** The transfer that was booked for a deposit. */
async function findDeposit(
  services: Pick<Services, "pool">,
  organizationId: string,
  reference: string,
): Promise<string> {
  const { rows } = await services.pool.query<{ transfer_id: string }>({
    name: "find_deposit",
    text: "select transfer_id from bank_notices where organization_id = $1 and reference = $2",
    values: [organizationId, reference],
  });
  if (!rows[0]) throw new Error(`The bank returned a deposit that it never reported: ${reference}`);
  return rows[0].transfer_id;
}

async function applyToTransfer(
  services: Pick<Services, "pool">,
  notice: SettledNotice | ReturnedNotice,
  businessNow: Date,
): Promise<void> {
  const settled = notice.kind === "SETTLED" ? notice : null;
  await services.pool.query({
    name: "apply_bank_notice",
    text: "select apply_bank_notice($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    values: [
      notice.organizationId,
      notice.noticeReference,
      notice.transferId,
      notice.kind,
      notice.code && `ACH_${notice.code}`,
      notice.occurredAt,
      newId(businessNow),
      businessNow,
      settled?.rail ?? null,
      settled?.feeInCents ?? null,
      settled?.finalAt ?? null,
      settled?.availableAt ?? null,
    ],
  });
}

/** Repairs the outside account of an order, and notifies the deciders. */
async function correctOutsideAccount(
  services: Pick<Services, "pool">,
  notice: CorrectionNotice,
  businessNow: Date,
): Promise<void> {
  await services.pool.query({
    name: "correct_outside_account",
    text: "select correct_outside_account($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    values: [
      notice.organizationId,
      notice.noticeReference,
      notice.transferId,
      notice.code,
      notice.bankReference,
      notice.routingNumberLast4,
      notice.accountNumberLast4,
      notice.occurredAt,
      businessNow,
    ],
  });
}

/**
 * Makes pulled money available that the bank can hardly take back any more, and starts the rules that wait for it.
 * @returns how many pulls.
 */
export async function releaseAvailableFunds(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<{ released: number }>({
    name: "release_available_funds",
    text: "select release_available_funds($1, $2) as released",
    values: [services.clock.now(), limit],
  });
  return rows[0]?.released ?? 0;
}

interface Deposit {
  organizationId: string;
  /** The bank's reference: a repeated deposit counts once. */
  reference: string;
  /** A pod or an income source. */
  accountId: string;
  amountInCents: number;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
  /** ACH if left out. */
  rail?: BankRail;
  payerName: string;
  /** Business time. */
  arrivedAt: Date;
}

/**
 * @param services `pool`: a transaction's client, if more belongs to the same commit
 * @returns the transfer's id, or null if this reference was booked before.
 */
export async function recordDeposit(services: { pool: Queryable }, deposit: Deposit): Promise<string | null> {
  const transferId = newId(deposit.arrivedAt);
  const { rows } = await services.pool.query<{ is_new: boolean }>(
    "select record_deposit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as is_new",
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
      deposit.rail ?? "ACH",
    ],
  );
  return rows[0]?.is_new ? transferId : null;
}
