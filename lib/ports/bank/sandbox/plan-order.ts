import type { BankOrder } from "@/lib/ports/bank/bank-port";
import { bankingDaysLater, expectedSettlement } from "@/lib/ports/bank/sandbox/settlement-times";

/** How a submission travels: heard and answered, recorded but unanswered, or lost the first time. */
export type Transmission = "ANSWERED" | "ANSWER_LOST" | "FIRST_LOST";

export interface PlannedNotice {
  kind: "SETTLED" | "RETURNED";
  code: string | null;
  dueAt: Date;
  deliveries: 1 | 2;
}

export interface OrderPlan {
  transmission: Transmission;
  expectedSettlementDate: string;
  expectedSettlementAt: Date;
  refusal: { code: string; message: string } | null;
  /** In order; empty when refused. */
  notices: PlannedNotice[];
}

const SLOW_BY_BANKING_DAYS = 3;
const UNAUTHORIZED_AFTER_BANKING_DAYS = 2;
const LATE_RETURN_AFTER_BANKING_DAYS = 1;

/**
 * Everything that the sandbox will do with an order, decided when it arrives by the cents of its amount
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
      return { ...plan, notices: [returned("R01", expected.at)] };
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
      // Nobody lacks the funds to receive money: only a pull can come back for want of them.
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
    default:
      return plan;
  }
}
