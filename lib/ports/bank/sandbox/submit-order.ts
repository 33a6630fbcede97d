import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import { addBankingDays, bankingDateOf, bankingInstant, bankingTimeOf } from "@/lib/contract/banking-days";
import {
  type BankAnswer,
  type BankOrder,
  BankOrderConflict,
  BankUnavailable,
} from "@/lib/ports/bank/bank-port";

/** Accepts an order, once per transfer; see BankPort.submit. */
export async function submitOrder(pool: Pool, order: BankOrder, businessNow: Date): Promise<BankAnswer> {
  const plan = planOrder(order, businessNow);
  if (plan.transmission === "FIRST_LOST" && (await isFirstSubmission(pool, order))) {
    throw new BankUnavailable("The sandbox bank lost this submission (amount ending in .05)");
  }
  const isNew = await recordOrder(pool, order, plan, businessNow);
  if (isNew && plan.transmission === "ANSWER_LOST") {
    throw new BankUnavailable("The sandbox bank took the order and did not answer (amount ending in .04)");
  }
  // Read back even if new: a second submission then gets the same answer as the first.
  return await readAnswer(pool, order);
}

async function isFirstSubmission(pool: Pool, order: BankOrder): Promise<boolean> {
  const inserted = await pool.query({
    name: "sandbox_bank_lose_submission",
    text: `insert into sandbox_bank_lost_submissions (organization_id, transfer_id)
           values ($1, $2)
           on conflict do nothing`,
    values: [order.organizationId, order.transferId],
  });
  return inserted.rowCount === 1;
}

/**
 * Order and notices in one statement, so that an order without its settlement cannot exist. Concurrent submissions of
 * the same id wait for the first insert to commit and then insert nothing.
 * @returns whether this call recorded it
 */
async function recordOrder(
  pool: Pool,
  order: BankOrder,
  plan: OrderPlan,
  businessNow: Date,
): Promise<boolean> {
  const recorded = await pool.query<{ isNew: boolean }>({
    name: "sandbox_bank_record_order",
    text: `with new_order as (
             insert into sandbox_bank_orders (
               organization_id, transfer_id, reference, direction, amount_in_cents, label, outside_name,
               outside_routing_number_last4, outside_account_number_last4, submitted_at, expected_settlement_at,
               refusal_code, refusal_message, outside_reference)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $21)
             on conflict (organization_id, transfer_id) do nothing
             returning organization_id, transfer_id
           ), new_notices as (
             insert into sandbox_bank_notices (
               organization_id, transfer_id, notice_reference, kind, code, due_at, deliveries_left,
               available_at, corrected_account_number_last4)
             select new_order.organization_id, new_order.transfer_id,
                    planned.notice_reference, planned.kind, planned.code, planned.due_at, planned.deliveries,
                    planned.available_at, planned.corrected
               from new_order
              cross join unnest($14::uuid[], $15::text[], $16::text[], $17::timestamptz[], $18::smallint[],
                                $19::timestamptz[], $20::text[])
                 as planned (notice_reference, kind, code, due_at, deliveries, available_at, corrected)
           )
           select exists (select from new_order) as "isNew"`,
    values: [
      order.organizationId,
      order.transferId,
      `SBX-${uuidv7()}`,
      order.direction,
      order.amountInCents,
      order.label,
      order.outsideAccount.name,
      order.outsideAccount.routingNumberLast4,
      order.outsideAccount.accountNumberLast4,
      businessNow,
      plan.expectedSettlementAt,
      plan.refusal?.code ?? null,
      plan.refusal?.message ?? null,
      plan.notices.map(() => uuidv7()),
      plan.notices.map((notice) => notice.kind),
      plan.notices.map((notice) => notice.code),
      plan.notices.map((notice) => notice.dueAt),
      plan.notices.map((notice) => notice.deliveries),
      plan.notices.map((notice) => notice.availableAt ?? null),
      plan.notices.map((notice) => notice.correctedAccountNumberLast4 ?? null),
      order.outsideAccount.bankReference,
    ],
  });
  return recorded.rows[0]?.isNew === true;
}

interface AnswerRow {
  reference: string;
  expectedSettlementAt: Date;
  refusalCode: string | null;
  refusalMessage: string | null;
  isSameOrder: boolean;
}

/** Names and labels may change between two submissions; where the money goes and how much may not. */
async function readAnswer(pool: Pool, order: BankOrder): Promise<BankAnswer> {
  const { rows } = await pool.query<AnswerRow>({
    name: "sandbox_bank_read_answer",
    text: `select reference, expected_settlement_at as "expectedSettlementAt", refusal_code as "refusalCode",
                  refusal_message as "refusalMessage", direction = $3 and amount_in_cents = $4
                    and outside_routing_number_last4 is not distinct from $5
                    and outside_account_number_last4 is not distinct from $6
                    and outside_reference is not distinct from $7 as "isSameOrder"
             from sandbox_bank_orders
            where organization_id = $1 and transfer_id = $2`,
    values: [
      order.organizationId,
      order.transferId,
      order.direction,
      order.amountInCents,
      order.outsideAccount.routingNumberLast4,
      order.outsideAccount.accountNumberLast4,
      order.outsideAccount.bankReference,
    ],
  });
  const row = rows[0];
  if (!row) throw new Error(`Sandbox bank: order ${order.transferId} is gone after it was recorded`);
  if (!row.isSameOrder) throw new BankOrderConflict(order.transferId);
  if (row.refusalCode !== null && row.refusalMessage !== null) {
    return { kind: "REFUSED", code: row.refusalCode, message: row.refusalMessage };
  }
  return {
    kind: "ACCEPTED",
    reference: row.reference,
    expectedSettlementDate: bankingDateOf(row.expectedSettlementAt),
    expectedSettlementAt: row.expectedSettlementAt,
  };
}

/** The fate of a submission: received and answered, recorded but unanswered, or lost the first time. */
type Transmission = "ANSWERED" | "ANSWER_LOST" | "FIRST_LOST";

interface PlannedNotice {
  kind: "SETTLED" | "RETURNED" | "CORRECTED";
  code: string | null;
  dueAt: Date;
  deliveries: 1 | 2;
  /** Of a settled pull that cannot be spent at once. */
  availableAt?: Date;
  correctedAccountNumberLast4?: string;
}

interface OrderPlan {
  transmission: Transmission;
  expectedSettlementDate: string;
  expectedSettlementAt: Date;
  refusal: { code: string; message: string } | null;
  /** In order; empty if refused. */
  notices: PlannedNotice[];
}

const SLOW_BY_BANKING_DAYS = 3;
const UNAUTHORIZED_AFTER_BANKING_DAYS = 2;
const LATE_RETURN_AFTER_BANKING_DAYS = 1;
const HELD_FOR_BANKING_DAYS = 2;

/**
 * Everything that the sandbox will do with an order, decided on arrival by the cents of its amount
 * (docs/sandbox-bank.md has the table). Pure: the same order at the same time has the same plan.
 */
export function planOrder(order: BankOrder, submittedAt: Date): OrderPlan {
  const expected = expectedSettlement(order.direction, submittedAt);
  const settled: PlannedNotice = { kind: "SETTLED", code: null, dueAt: expected.at, deliveries: 1 };
  const returned = (code: string, dueAt: Date): PlannedNotice => ({
    kind: "RETURNED",
    code,
    dueAt,
    deliveries: 1,
  });
  const plan: OrderPlan = {
    transmission: "ANSWERED",
    expectedSettlementDate: expected.date,
    expectedSettlementAt: expected.at,
    refusal: null,
    notices: [settled],
  };
  switch (order.amountInCents % 100) {
    case 1:
      return {
        ...plan,
        refusal: { code: "R03", message: "No account, or unable to locate it" },
        notices: [],
      };
    case 2:
      // Receiving money needs no funds.
      return { ...plan, notices: [returned(order.direction === "DEBIT" ? "R01" : "R16", expected.at)] };
    case 3: {
      const dueAt = bankingDaysLater(expected.date, UNAUTHORIZED_AFTER_BANKING_DAYS);
      return { ...plan, notices: [settled, returned("R10", dueAt)] };
    }
    case 4:
      return { ...plan, transmission: "ANSWER_LOST" };
    case 5:
      return { ...plan, transmission: "FIRST_LOST" };
    case 6:
      return { ...plan, notices: [returned("R02", expected.at)] };
    case 7: {
      // Receiving money needs no funds: only a pull can be returned for lack of them.
      if (order.direction === "CREDIT") return plan;
      const dueAt = bankingDaysLater(expected.date, LATE_RETURN_AFTER_BANKING_DAYS);
      return { ...plan, notices: [settled, returned("R01", dueAt)] };
    }
    case 8:
      return { ...plan, notices: [{ ...settled, deliveries: 2 }] };
    case 9:
      return {
        ...plan,
        notices: [{ ...settled, dueAt: bankingDaysLater(expected.date, SLOW_BY_BANKING_DAYS) }],
      };
    case 10: {
      // Only money that was pulled can be taken back for lack of funds, so only a pull is held.
      if (order.direction === "CREDIT") return plan;
      const availableAt = bankingDaysLater(expected.date, HELD_FOR_BANKING_DAYS);
      return { ...plan, notices: [{ ...settled, availableAt }] };
    }
    case 11: {
      const digits = Number(order.outsideAccount.accountNumberLast4 ?? 0);
      const correctedAccountNumberLast4 = String((digits + 1) % 10_000).padStart(4, "0");
      const corrected = { ...settled, kind: "CORRECTED" as const, code: "C01", correctedAccountNumberLast4 };
      return { ...plan, notices: [settled, corrected] };
    }
    default:
      return plan;
  }
}

/** ACH files leave at 16:45 in New York; later orders go in the next banking day's file. */
export const CUT_OFF_TIME = "16:45";
/** Settlement and returns are posted in the morning of a banking day, New York time. */
const POSTING_TIME = "08:30";

const BANKING_DAYS_TO_SETTLE = { CREDIT: 1, DEBIT: 2 } as const;

/** When an order submitted at this business time settles, unless something goes wrong. */
function expectedSettlement(direction: "CREDIT" | "DEBIT", submittedAt: Date): { date: string; at: Date } {
  const date = addBankingDays(fileDate(submittedAt), BANKING_DAYS_TO_SETTLE[direction]);
  return { date, at: bankingInstant(date, POSTING_TIME) };
}

/** The posting time `count` banking days after a settlement. */
export function bankingDaysLater(settlementDate: string, count: number): Date {
  return bankingInstant(addBankingDays(settlementDate, count), POSTING_TIME);
}

/**
 * The banking day whose file carries the order. A weekend or holiday has no cut-off: its orders go the next banking
 * day.
 */
function fileDate(submittedAt: Date): string {
  const date = bankingDateOf(submittedAt);
  const today = addBankingDays(date, 0);
  const missedToday = today === date && bankingTimeOf(submittedAt) >= CUT_OFF_TIME;
  return missedToday ? addBankingDays(date, 1) : today;
}
