import { bankingDateOf } from "@/lib/contract/banking-days";
import { type BankRemark, keepBankRemark } from "@/lib/core/transfers/bank-remarks";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import { Outages } from "@/lib/platform/outages";
import type { Services } from "@/lib/platform/services";
import {
  type BankAnswer,
  type BankOrder,
  type BankPort,
  BankSearchIncomplete,
  BankUnavailable,
  type ExpectedOrder,
} from "@/lib/ports/bank/bank-port";

interface LeasedRow {
  organizationId: string;
  id: string;
  direction: "MONEY_OUT" | "MONEY_IN";
  amountInCents: number;
  description: string | null;
  attempts: number;
  isFirstAttempt: boolean;
  clockOffsetMs: number;
  outsideName: string;
  outsideRoutingNumberLast4: string | null;
  outsideAccountNumberLast4: string | null;
  outsideBankReference: string | null;
  outsideHolderName: string | null;
  /** Why it must not be submitted again if the bank never received it; null: it may. */
  stoppedBy: "ACCOUNT_CLOSED" | "PAYEE_CHANGED" | null;
}

/** Longer than the bank's timeout, so that two workers never submit one transfer at the same time. */
const LEASE_MS = 60_000;
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000];
/** The largest fraction that jitter subtracts from an interval, so that orders of an outage do not retry in step. */
const JITTER = 0.5;

/** `UNKNOWN`: polled, never resubmitted blindly. */
type Outcome =
  | ({ answer: "ACCEPTED"; reference: string; expectedDate: string } & Pick<BankRemark, "isApprovedThere">)
  | ({ answer: "REFUSED"; errorCode: string } & Pick<BankRemark, "words">)
  | { answer: "UNKNOWN"; problem: string; retryAfterMs: number };

/**
 * Submits due transfers to the bank. The lease commits before the call, the call is made outside any transaction, and
 * its answer is recorded in another one. A transfer that was leased before is looked up by its id first and submitted
 * only if the bank never received it.
 * @param outages keeps the outage state between rounds, so that an outage does not fill the log
 * @returns how many were leased.
 */
export async function submitDueTransfers(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  limit: number,
  outages = new Outages(services, "the bank"),
): Promise<number> {
  const { rows } = await services.pool.query<LeasedRow>({
    name: "lease_bank_orders",
    text: `
      select organization_id as "organizationId", id, direction, amount_in_cents as "amountInCents", description,
          attempts, is_first_attempt as "isFirstAttempt", clock_offset_ms as "clockOffsetMs",
          outside_name as "outsideName", outside_routing_number_last4 as "outsideRoutingNumberLast4",
          outside_account_number_last4 as "outsideAccountNumberLast4",
          outside_bank_reference as "outsideBankReference", outside_holder_name as "outsideHolderName",
          stopped_by as "stoppedBy"
        from lease_bank_orders($1, $2, $3)`,
    values: [services.clock.now(), LEASE_MS, limit],
  });
  await Promise.all(rows.map((row) => submitOne(services, bank, row, outages)));
  return rows.length;
}

async function submitOne(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  row: LeasedRow,
  outages: Outages,
): Promise<void> {
  const businessNow = businessTime(services.clock, row.clockOffsetMs);
  const outcome = await ask(services, bank, row, { businessNow, outages });
  const remark = {
    words: outcome.answer === "REFUSED" ? outcome.words : null,
    isApprovedThere: outcome.answer === "ACCEPTED" && outcome.isApprovedThere,
  };
  if (remark.words === null && !remark.isApprovedThere) {
    await recordAnswer(services.pool, row, outcome, businessNow);
    return;
  }
  const { organizationId, id: transferId } = row;
  await inTransaction(services.pool, async (client) => {
    if (!(await recordAnswer(client, row, outcome, businessNow))) return;
    await keepBankRemark(client, { organizationId, transferId, ...remark, now: businessNow });
  });
}

/** @returns false if another answer or a notice came first */
async function recordAnswer(
  database: Queryable,
  row: LeasedRow,
  outcome: Outcome,
  businessNow: Date,
): Promise<boolean> {
  const { rows } = await database.query<{ isRecorded: boolean }>({
    name: "record_order_answer",
    text: `select record_order_answer($1) as "isRecorded"`,
    values: [
      JSON.stringify({
        organizationId: row.organizationId,
        id: row.id,
        answer: outcome.answer,
        reference: outcome.answer === "ACCEPTED" ? outcome.reference : null,
        code:
          outcome.answer === "REFUSED"
            ? outcome.errorCode
            : outcome.answer === "UNKNOWN"
              ? outcome.problem
              : null,
        expectedCompletionDate: outcome.answer === "ACCEPTED" ? outcome.expectedDate : null,
        retryAt: new Date(businessNow.getTime() + retryMsOf(row, outcome)),
        now: businessNow,
      }),
    ],
  });
  return rows[0]?.isRecorded === true;
}

/** Longer if the bank asks for it. */
function retryMsOf({ attempts }: LeasedRow, outcome: Outcome): number {
  const ms = (RETRY_MS[Math.min(attempts, RETRY_MS.length) - 1] ?? 0) * (1 - JITTER * Math.random());
  return outcome.answer === "UNKNOWN" ? Math.max(ms, outcome.retryAfterMs) : ms;
}

async function ask(
  services: Pick<Services, "log">,
  bank: BankPort,
  row: LeasedRow,
  { businessNow, outages }: { businessNow: Date; outages: Outages },
): Promise<Outcome> {
  const about = { organizationId: row.organizationId, transferId: row.id, attempts: row.attempts };
  try {
    const known = row.isFirstAttempt ? null : await findKnown(bank, row, businessNow);
    const outcome = known ?? (await submitUnlessStopped(bank, row, businessNow));
    outages.answered(row.organizationId);
    if (outcome.answer === "REFUSED") {
      const { errorCode, words } = outcome;
      services.log.warn({ ...about, errorCode, bankWords: words }, "the bank refused an order");
    }
    return outcome;
  } catch (error) {
    // An internal error leaves the order's outcome as unknown as a timeout does.
    if (error instanceof BankSearchIncomplete) {
      outages.answered(row.organizationId);
      services.log.error(
        { err: error, ...about },
        "the bank lists more than is searched for an order; whether it was sent stays unknown, and it is searched again",
      );
    } else if (error instanceof BankUnavailable)
      outages.failed(row.organizationId, businessNow, error, about);
    else services.log.error({ err: error, ...about }, "the bank's answer is unknown and will be polled");
    const problem = error instanceof Error ? error.message.slice(0, 500) : "unknown error";
    const retryAfterMs = error instanceof BankUnavailable ? error.retryAfterMs : 0;
    return { answer: "UNKNOWN", problem, retryAfterMs };
  }
}

/** Nobody has approved paying what a payee became after the first attempt. */
async function submitUnlessStopped(bank: BankPort, row: LeasedRow, businessNow: Date): Promise<Outcome> {
  if (row.stoppedBy !== null) return { answer: "REFUSED", errorCode: row.stoppedBy, words: null };
  return toOutcome(await bank.submit(toOrder(row), { businessNow }));
}

async function findKnown(bank: BankPort, row: LeasedRow, businessNow: Date): Promise<Outcome | null> {
  const state = await bank.find({
    organizationId: row.organizationId,
    transferId: row.id,
    businessNow,
    expected: toExpected(row),
  });
  if (!state) return null;
  if (state.state === "REFUSED") return toRefusal(state);
  return {
    answer: "ACCEPTED",
    reference: state.reference,
    expectedDate: bankingDateOf(state.expectedSettlementAt),
    isApprovedThere: state.isApprovedThere ?? false,
  };
}

function toRefusal({ code, bankWords = null }: { code: string | null; bankWords?: string | null }): Outcome {
  return { answer: "REFUSED", errorCode: `ACH_${code ?? "NOT_ACCEPTED"}`, words: bankWords };
}

/** A payee that changed meanwhile has another reference than the order that left. */
function toExpected(row: LeasedRow): ExpectedOrder {
  const { direction, amountInCents, outsideAccount } = toOrder(row);
  const bankReference = row.stoppedBy === "PAYEE_CHANGED" ? null : outsideAccount.bankReference;
  return { direction, amountInCents, bankReference };
}

function toOutcome(answer: BankAnswer): Outcome {
  if (answer.kind === "REFUSED") return toRefusal(answer);
  return {
    answer: "ACCEPTED",
    reference: answer.reference,
    expectedDate: answer.expectedSettlementDate,
    isApprovedThere: answer.isApprovedThere ?? false,
  };
}

function toOrder(row: LeasedRow): BankOrder {
  return {
    transferId: row.id,
    organizationId: row.organizationId,
    direction: row.direction === "MONEY_OUT" ? "CREDIT" : "DEBIT",
    amountInCents: row.amountInCents,
    label: row.description,
    outsideAccount: {
      name: row.outsideName,
      routingNumberLast4: row.outsideRoutingNumberLast4,
      accountNumberLast4: row.outsideAccountNumberLast4,
      bankReference: row.outsideBankReference,
      holderName: row.outsideHolderName,
    },
  };
}
