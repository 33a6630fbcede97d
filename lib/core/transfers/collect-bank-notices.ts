import type { BankRail } from "@/lib/contract/bank-capabilities";
import type { BankRefusal } from "@/lib/contract/transfer";
import { logUnread } from "@/lib/core/transfers/bank-news";
import { keepBankRemark } from "@/lib/core/transfers/bank-remarks";
import { NoticeRounds } from "@/lib/core/transfers/notice-rounds";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";
import {
  type BankNotice,
  type BankPort,
  BankUnavailable,
  beginsSubject,
  type CorrectionNotice,
  type DepositNotice,
  type ReleasedNotice,
  type ReturnedNotice,
  type SettledNotice,
  subjectOf,
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
  const processed = await rounds.run(limit, async (organizationId, businessNow) => {
    const notices = await bank.notices({ organizationId, businessNow, limit: NOTICES_PER_ROUND });
    const { applied, failed } = await applyAll(services, notices, businessNow);
    for (const notice of failed) {
      const { noticeReference } = notice;
      await bank.setAside({ organizationId, noticeReference, subject: subjectOf(notice), businessNow });
    }
    applied.push(...(await passForeign(services, organizationId, failed)));
    if (applied.length > 0) {
      await bank.acknowledge({ organizationId, noticeReferences: applied, businessNow });
    }
    // Those that failed make room for the next ones.
    return notices.length === NOTICES_PER_ROUND;
  });
  await logUnread(services);
  return processed;
}

export function createBankRounds(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
): NoticeRounds {
  return new NoticeRounds(services, bank, "the bank", (error) => error instanceof BankUnavailable);
}

/** With the growing waits in between, some ten minutes. */
const ATTEMPTS_OF_FOREIGN = 8;

/**
 * Orders of which no transfer exists here: another program sent them from Sluice's account, under a key of the same form.
 * Their notices are passed over, and reconciliation shows their lines as it shows all money that Sluice did not order.
 * @returns the references of their notices
 */
async function passForeign(
  services: Pick<Services, "pool" | "log">,
  organizationId: string,
  failed: readonly BankNotice[],
): Promise<string[]> {
  const ofOrders = failed.flatMap((notice) => ("transferId" in notice ? [notice] : []));
  if (ofOrders.length === 0) return [];
  const { rows } = await services.pool.query<{ noticeReference: string; transferId: string }>({
    name: "find_foreign_orders",
    text: `select u.notice_reference as "noticeReference", u.subject as "transferId" from bank_unapplied_notices u
            where u.organization_id = $1 and u.notice_reference = any ($2) and u.attempts >= $3
              and not exists (select from transfers t
                where t.organization_id = $1 and t.id = any ($4::uuid[]) and t.id::text = u.subject)`,
    values: [
      organizationId,
      ofOrders.map(({ noticeReference }) => noticeReference),
      ATTEMPTS_OF_FOREIGN,
      ofOrders.map(({ transferId }) => transferId),
    ],
  });
  for (const { noticeReference, transferId } of rows) {
    services.log.warn(
      { organizationId, noticeReference, idempotencyKey: transferId },
      "the bank reports an order that Sluice did not send; reconciliation shows it as a difference",
    );
  }
  return rows.map(({ noticeReference }) => noticeReference);
}

interface Outcome {
  /** References. */
  applied: string[];
  failed: BankNotice[];
}

/**
 * Applies notices in order, deposits that follow each other in one transaction. One that fails is logged and set aside
 * by the caller; it blocks later notices of the same transfer or deposit, whose order matters, and no others.
 */
async function applyAll(
  services: Pick<Services, "pool" | "log">,
  notices: readonly BankNotice[],
  businessNow: Date,
): Promise<Outcome> {
  const applied: string[] = [];
  const failed: BankNotice[] = [];
  const blocked = new Set<string>();
  for (const group of groupsOf(notices)) {
    const due = group.filter((notice) => beginsSubject(notice) || !blocked.has(subjectOf(notice)));
    if (due.length > 1 && (await areAppliedTogether(services, due))) {
      applied.push(...due.map(({ noticeReference }) => noticeReference));
      continue;
    }
    for (const notice of due) {
      try {
        await applyNotice(services, notice, businessNow);
        applied.push(notice.noticeReference);
      } catch (error) {
        failed.push(notice);
        blocked.add(subjectOf(notice));
        const { organizationId, noticeReference } = notice;
        services.log.error(
          { err: error, organizationId, subject: subjectOf(notice), noticeReference },
          "a bank notice could not be applied",
        );
      }
    }
  }
  return { applied, failed };
}

/** Deposits that follow each other; every other notice alone. */
function groupsOf(notices: readonly BankNotice[]): BankNotice[][] {
  const groups: BankNotice[][] = [];
  for (const notice of notices) {
    const last = groups.at(-1);
    if (notice.kind === "DEPOSITED" && last?.[0]?.kind === "DEPOSITED") last.push(notice);
    else groups.push([notice]);
  }
  return groups;
}

/** False: nothing was written. Applied one by one, they show which one failed. */
async function areAppliedTogether(
  services: Pick<Services, "pool" | "log">,
  notices: readonly BankNotice[],
): Promise<boolean> {
  const deposits = notices.flatMap((notice) => (notice.kind === "DEPOSITED" ? [depositOf(notice)] : []));
  try {
    await recordDeposits(services, deposits);
  } catch (error) {
    services.log.warn({ err: error, deposits: deposits.length }, "deposits are applied one by one");
    return false;
  }
  incrementCounter("transfers", "BANK_DEPOSITED", deposits.length);
  return true;
}

function depositOf(notice: DepositNotice): Deposit {
  const { organizationId, depositReference, accountId, amountInCents, rail, payerName } = notice;
  const origin = rail === "CHECK" ? "CHECK_DEPOSIT" : "DIRECT_DEPOSIT";
  const arrival = { organizationId, reference: depositReference, accountId, amountInCents, origin } as const;
  return { ...arrival, rail, payerName, arrivedAt: notice.occurredAt };
}

async function applyNotice(
  services: Pick<Services, "pool" | "log">,
  notice: BankNotice,
  businessNow: Date,
): Promise<void> {
  const { organizationId, kind } = notice;
  switch (notice.kind) {
    case "DEPOSITED":
      await recordDeposit(services, depositOf(notice));
      break;
    case "DEPOSIT_RETURNED": {
      const transferId = await findDeposit(services, organizationId, notice.depositReference);
      await applyToTransfer(services, { ...notice, kind: "RETURNED", transferId }, businessNow);
      break;
    }
    case "CORRECTED":
      await correctOutsideAccount(services, notice, businessNow);
      break;
    case "RELEASED":
      await releaseEarly(services, notice);
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
  const { rows } = await services.pool.query<{ transferId: string }>({
    name: "find_deposit",
    text: `select transfer_id as "transferId" from bank_notices where organization_id = $1 and reference = $2`,
    values: [organizationId, reference],
  });
  if (!rows[0]) throw new Error(`The bank returned a deposit that it never reported: ${reference}`);
  return rows[0].transferId;
}

/** Nothing ends without a reason, whatever a bank leaves out. */
const NO_REASON: BankRefusal = "SENT_BACK";

async function applyToTransfer(
  services: Pick<Services, "pool" | "log">,
  notice: SettledNotice | ReturnedNotice,
  businessNow: Date,
): Promise<void> {
  const code = notice.kind === "RETURNED" ? (notice.code ?? NO_REASON) : null;
  const words = notice.kind === "RETURNED" ? (notice.bankWords ?? null) : null;
  if (code !== null) {
    const { organizationId, transferId } = notice;
    services.log.warn(
      { organizationId, transferId, code, bankWords: words },
      "the bank refused or returned an order",
    );
  }
  if (words === null) {
    await applyToBooks(services.pool, notice, code, businessNow);
    return;
  }
  await inTransaction(services.pool, async (client) => {
    await applyToBooks(client, notice, code, businessNow);
    const { organizationId, transferId } = notice;
    const remark = { words, isApprovedThere: false, now: businessNow };
    await keepBankRemark(client, { organizationId, transferId, ...remark });
  });
}

async function applyToBooks(
  database: Queryable,
  notice: SettledNotice | ReturnedNotice,
  code: string | null,
  businessNow: Date,
): Promise<void> {
  const settled = notice.kind === "SETTLED" ? notice : null;
  await database.query({
    name: "record_bank_notice",
    text: "select record_bank_notice($1)",
    values: [
      JSON.stringify({
        organizationId: notice.organizationId,
        reference: notice.noticeReference,
        transferId: notice.transferId,
        kind: notice.kind,
        code: code && `ACH_${code}`,
        occurredAt: notice.occurredAt,
        entryId: newId(businessNow),
        now: businessNow,
        rail: settled?.rail ?? null,
        feeInCents: settled?.feeInCents ?? null,
        finalAt: settled?.finalAt ?? null,
        availableAt: settled?.availableAt ?? null,
      }),
    ],
  });
}

async function releaseEarly(services: Pick<Services, "pool">, notice: ReleasedNotice): Promise<void> {
  await services.pool.query({
    name: "release_early",
    text: "select release_early($1, $2, $3)",
    values: [notice.organizationId, notice.transferId, notice.occurredAt],
  });
}

/** Repairs the outside account of an order, and notifies the deciders. */
async function correctOutsideAccount(
  services: Pick<Services, "pool">,
  notice: CorrectionNotice,
  businessNow: Date,
): Promise<void> {
  await services.pool.query({
    name: "apply_account_correction",
    text: "select apply_account_correction($1)",
    values: [
      JSON.stringify({
        organizationId: notice.organizationId,
        reference: notice.noticeReference,
        transferId: notice.transferId,
        code: notice.code,
        bankReference: notice.bankReference,
        routingNumberLast4: notice.routingNumberLast4,
        accountNumberLast4: notice.accountNumberLast4,
        occurredAt: notice.occurredAt,
        now: businessNow,
      }),
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
  const [transferId] = await recordDeposits(services, [deposit]);
  return transferId ?? null;
}

/**
 * Books deposits of one organization, all or none; the bank's repetitions count once.
 * @returns the ids of the new transfers
 */
export async function recordDeposits(
  services: { pool: Queryable },
  deposits: readonly Deposit[],
): Promise<string[]> {
  const organizationId = deposits[0]?.organizationId;
  if (deposits.some((deposit) => deposit.organizationId !== organizationId)) {
    throw new Error("Deposits of several organizations are booked apart");
  }
  const items = deposits.map(({ organizationId: _, rail = "ACH", ...deposit }) => ({
    ...deposit,
    rail,
    transferId: newId(deposit.arrivedAt),
    entryId: newId(deposit.arrivedAt),
  }));
  const { rows } = await services.pool.query<{ transferId: string }>({
    name: "record_deposits",
    text: `select transfer_id as "transferId" from record_deposits($1, $2)`,
    values: [organizationId, JSON.stringify(items)],
  });
  return rows.map(({ transferId: id }) => id);
}
