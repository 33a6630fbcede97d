import type { Ask, Draft } from "@/lib/core/demo/draft";
import { draftSplit } from "@/lib/core/demo/draft-rules";

/** Five banking days, a week without a holiday. These are the last three months; see `draft-earlier.ts`. */
export const CYCLES = 12;
export const CYCLE_DAYS = 5;
/** From this cycle on, rules split the payments, keep Payroll funded, and pay the owner on Fridays. */
const FIRST_CYCLE_OF_RULES = 6;

/**
 * What `claude-bookkeeping` moved to Taxes, by cycle: between $1,600.00 and $2,400.00, so that the waiting $4,250.00 is
 * 2.1 times the median of $2,020.00.
 */
const TO_TAXES = [
  205_000, 240_000, 160_000, 185_000, 202_000, 160_000, 240_000, 172_000, 240_000, 160_000, 240_000, 210_000,
];
export const PAYERS = ["Halden Health", "Orbit Maps", "Juniper Foods", "Finch & Co"];
/**
 * By cycle. The third quarter's is paid about ten weeks before the fourth's is prepared. Monthly taxes are paid
 * earlier, because a rule sends $12,000.00 as soon as Taxes holds it.
 */
const TAX_PAYMENTS: Record<number, { amountInCents: number; reason: string }> = {
  2: { amountInCents: 1_320_000, reason: "Third-quarter estimated tax, due from checking tomorrow." },
  6: {
    amountInCents: 1_380_000,
    reason: "This month’s sales and payroll taxes, due from checking tomorrow.",
  },
  8: { amountInCents: 770_000, reason: "This month’s sales tax, due from checking tomorrow." },
  10: { amountInCents: 550_000, reason: "This month’s payroll taxes, due from checking tomorrow." },
};

/** A current week of the studio: a client pays, the payment is split, and the pods fill and pay. */
export function draftCycle(draft: Draft, cycle: number): void {
  const firstDay = CYCLES * CYCLE_DAYS - cycle * CYCLE_DAYS;
  const days = Array.from({ length: CYCLE_DAYS }, (_, offset) => firstDay - offset);
  const [payDay = 0, taxDay = 0, payrollDay = 0, wagesDay = 0, sweepDay = 0] = days;
  draftClientPayment(draft, payDay, cycle);
  draft.approved({
    key: "claude-bookkeeping",
    from: "Operating",
    to: "Taxes",
    amountInCents: TO_TAXES[cycle] ?? 0,
    day: taxDay,
    time: "09:40",
    label: "EST TAX",
    reason: "Sets aside this week’s share of the estimated tax, so the quarterly bill is covered.",
  });
  draftPayroll(draft, payrollDay, cycle);
  draftWages(draft, wagesDay, cycle);
  draftSweep(draft, sweepDay, cycle);
  draftRoundups(draft, [payDay, payrollDay, sweepDay]);
  const taxPayment = TAX_PAYMENTS[cycle];
  if (taxPayment !== undefined) {
    draft.approved({
      key: "mara-cli",
      from: "Taxes",
      to: "First Harbor Checking",
      amountInCents: taxPayment.amountInCents,
      day: sweepDay,
      time: "10:20",
      label: "TAX",
      reason: taxPayment.reason,
    });
  }
}

export const PAID_AT = "08:55";

/** A client payment above the amount that the rule splits without approval. */
export function paymentInCents(number: (least: number, most: number) => number): number {
  return number(108, 172) * 5_000;
}

function draftClientPayment(draft: Draft, day: number, cycle: number): void {
  const payer = PAYERS[cycle % PAYERS.length] ?? "";
  const amountInCents = paymentInCents(draft.number);
  draft.deposit(day, PAID_AT, payer, amountInCents);
  if (cycle >= FIRST_CYCLE_OF_RULES) {
    draftSplit(draft, draft.calendar.at(day, PAID_AT), amountInCents);
    return;
  }
  draftShares(draft, { day, payer, invoice: 310 + cycle, amountInCents });
}

/** A quarter of a client's payment goes to taxes, the rest to operating. */
export function draftShares(
  draft: Draft,
  {
    day,
    payer,
    invoice,
    amountInCents,
  }: { day: number; payer: string; invoice: number; amountInCents: number },
): void {
  const taxInCents = amountInCents / 4;
  const share = { key: "zapier-invoices", from: "Client payments", day, time: "09:05" } as const;
  const reason = (what: string) => `${payer} paid invoice ${invoice}. ${what}`;
  draft.approved({
    ...share,
    to: "Taxes",
    amountInCents: taxInCents,
    reason: reason("25% goes to taxes."),
  });
  draft.approved({
    ...share,
    to: "Operating",
    amountInCents: amountInCents - taxInCents,
    reason: reason("The rest covers operating costs."),
  });
}

function draftPayroll(draft: Draft, day: number, cycle: number): void {
  if (cycle < FIRST_CYCLE_OF_RULES) {
    draft.approved({
      key: "ops-payroll",
      from: "Operating",
      to: "Payroll",
      amountInCents: 175_000,
      day,
      time: "08:10",
      reason: "One week of wages for two people.",
    });
  }
  const topUp: Ask = {
    key: "claude-bookkeeping",
    from: "Operating",
    to: "Payroll",
    amountInCents: draft.number(56, 68) * 1_000,
    day,
    time: "11:15",
    reason: "Employer payroll tax on this week’s wages.",
  };
  if (cycle === 5) draft.denied(topUp, "JONAS", 52, "Payroll holds enough for this week.");
  else draft.approved(topUp);
}

/** Alternates between staff and owner; the owner is paid weekly once a rule fills the pod on Fridays. */
function draftWages(draft: Draft, day: number, cycle: number): void {
  const isByRules = cycle >= FIRST_CYCLE_OF_RULES;
  if (!isByRules) {
    draft.approved({
      key: "mara-cli",
      from: "Operating",
      to: "Owner’s pay",
      amountInCents: 80_000,
      day,
      time: "09:00",
      reason: null,
    });
  }
  const isWeekly = cycle > FIRST_CYCLE_OF_RULES;
  if (isWeekly || cycle % 2 === 0) {
    draft.approved({
      key: "mara-cli",
      from: "Owner’s pay",
      to: "First Harbor Checking",
      amountInCents: isWeekly ? 170_000 : 150_000,
      day,
      time: "13:30",
      label: "OWNER PAY",
      reason: isWeekly ? "Owner’s pay for the week." : "Owner’s pay for two weeks.",
    });
  }
  if (cycle % 2 === 0) return;
  const wages: Ask = {
    key: "ops-payroll",
    from: "Payroll",
    to: "First Harbor Checking",
    amountInCents: 410_000,
    day,
    time: "13:45",
    label: "NW WAGES",
    reason: "Wages for the two weeks ending Friday.",
  };
  draft.approved(wages);
  // Payroll now has its own share of each payment, and also pays wage-related costs.
  if (!isByRules) return;
  draft.approved({
    ...wages,
    amountInCents: 300_000,
    time: "15:20",
    label: "NW TAX",
    reason: "Payroll tax and health insurance for the same two weeks.",
  });
}

function draftSweep(draft: Draft, day: number, cycle: number): void {
  if (cycle === INSURANCE_CYCLE) {
    draftInsurance(draft, day);
    return;
  }
  const sweep: Ask = {
    key: "claude-bookkeeping",
    from: "Operating",
    to: "Profit",
    amountInCents: draft.number(12, 30) * 1_000,
    day,
    time: "14:05",
    reason: "Operating’s surplus this week, toward the $12,000.00 goal.",
  };
  if (cycle === 8) draft.denied(sweep, "MARA", 34, "Wait until the card is paid.");
  else draft.approved(sweep);
}

/** The one week in which Profit pays. */
const INSURANCE_CYCLE = 9;

function draftInsurance(draft: Draft, day: number): void {
  draft.approved({
    key: "claude-bookkeeping",
    from: "Profit",
    to: "First Harbor Checking",
    amountInCents: 180_000,
    day,
    time: "14:05",
    label: "INSURANCE",
    reason: "The annual insurance premium is due from checking next week. Profit covers it, as planned.",
  });
}

/** Moves small change to Profit, as its key may without approval. */
export function draftRoundups(draft: Draft, days: readonly number[]): void {
  for (const day of days) {
    draft.unasked({
      key: "roundup-bot",
      from: "Operating",
      to: "Profit",
      amountInCents: draft.number(110, 990),
      day,
      time: "17:20",
      reason: null,
    });
  }
}
