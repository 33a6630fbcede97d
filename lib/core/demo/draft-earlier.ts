import type { Draft } from "@/lib/core/demo/draft";
import { CYCLE_DAYS, CYCLES, draftRoundups, draftShares, PAYERS } from "@/lib/core/demo/draft-cycle";

/** The nine months before the cycles of `draft-cycle.ts`: larger invoices, half as many, and no assistant. */
export const EARLIER_CYCLES = 38;
export const FIRST_CYCLE_DAY = (CYCLES + EARLIER_CYCLES) * CYCLE_DAYS;
/** When Jonas creates `claude-bookkeeping`; until then Mara sweeps. */
export const CLAUDE_DAY = (CYCLES + 3) * CYCLE_DAYS + 1;

const CYCLES_A_MONTH = 4;
/** A month's income relative to the average: the end of the year is strong, midsummer weak. */
const SEASON_PERCENT = [108, 92, 95, 104, 112, 106, 99, 86, 82, 97];
/** Some payments are checks: one every so many cycles. */
const CHECK_EVERY = 5;
const CHECK_PAYER = "Alder Books";
const STEP_IN_CENTS = 5_000;

/** By cycle; like the recent ones, spaced about a quarter apart. */
const QUARTERLY_TAXES: Record<number, { quarter: string; amountInCents: number }> = {
  5: { quarter: "fourth", amountInCents: 520_000 },
  18: { quarter: "first", amountInCents: 640_000 },
  27: { quarter: "second", amountInCents: 700_000 },
};
/** The cycle in which each person's weekly share rises. */
const RAISE_CYCLE = 20;

/** An earlier week of the studio; 0 is the first. */
export function draftEarlierCycle(draft: Draft, cycle: number): void {
  const firstDay = FIRST_CYCLE_DAY - cycle * CYCLE_DAYS;
  if (cycle % 2 === 0) draftClientPayment(draft, firstDay, cycle);
  draft.approved({
    key: "ops-payroll",
    from: "Operating",
    to: "Payroll",
    amountInCents: cycle < RAISE_CYCLE ? 190_000 : 205_000,
    day: firstDay - 2,
    time: "08:10",
    reason: "One week of wages for two people, with employer payroll tax.",
  });
  if (cycle % 2 === 0) draftOwnersPay(draft, firstDay - 3);
  else draftWages(draft, firstDay - 3, cycle);
  if (cycle % CYCLES_A_MONTH === 3) draftMonthsEnd(draft, firstDay - 4, cycle);
  const quarterly = QUARTERLY_TAXES[cycle];
  if (quarterly) {
    draft.approved({
      key: "mara-cli",
      from: "Taxes",
      to: "First Harbor Checking",
      amountInCents: quarterly.amountInCents,
      day: firstDay - 4,
      time: "10:20",
      label: "EST TAX",
      reason: `Estimated tax for the ${quarterly.quarter} quarter, due from checking tomorrow.`,
    });
  }
  if (cycle % 2 === 1) draftRoundups(draft, [firstDay - 1]);
}

function draftClientPayment(draft: Draft, day: number, cycle: number): void {
  const isCheck = cycle % CHECK_EVERY === 2;
  const invoiceIndex = cycle / 2;
  const payer = isCheck ? CHECK_PAYER : (PAYERS[invoiceIndex % PAYERS.length] ?? "");
  const season = SEASON_PERCENT[Math.floor(cycle / CYCLES_A_MONTH)] ?? 100;
  const steps = Math.round(((90 + cycle) * season) / 100) + draft.number(-8, 8);
  const amountInCents = 2 * steps * STEP_IN_CENTS;
  if (isCheck) draft.check(day, payer, amountInCents);
  else draft.deposit(day, "08:55", payer, amountInCents);
  draftShares(draft, { day, payer, invoice: 310 - EARLIER_CYCLES / 2 + invoiceIndex, amountInCents });
}

function draftOwnersPay(draft: Draft, day: number): void {
  const pay = { key: "mara-cli", day, amountInCents: 150_000 } as const;
  draft.approved({ ...pay, from: "Operating", to: "Owner’s pay", time: "09:00", reason: null });
  draft.approved({
    ...pay,
    from: "Owner’s pay",
    to: "First Harbor Checking",
    time: "13:30",
    label: "OWNER PAY",
    reason: "Owner’s pay for two weeks.",
  });
}

function draftWages(draft: Draft, day: number, cycle: number): void {
  draft.approved({
    key: "ops-payroll",
    from: "Payroll",
    to: "First Harbor Checking",
    amountInCents: cycle < RAISE_CYCLE ? 380_000 : 405_000,
    day,
    time: "13:45",
    label: "NW WAGES",
    reason: "Wages for the two weeks ending Friday.",
  });
}

function draftMonthsEnd(draft: Draft, day: number, cycle: number): void {
  draft.approved({
    key: "mara-cli",
    from: "Taxes",
    to: "First Harbor Checking",
    amountInCents: (draft.number(210, 260) + cycle * 9) * 1_000,
    day,
    time: "10:40",
    label: "TAX",
    reason: "This month’s sales and payroll taxes, due from checking tomorrow.",
  });
  if (day <= CLAUDE_DAY) return;
  draft.approved({
    key: "mara-cli",
    from: "Operating",
    to: "Profit",
    amountInCents: draft.number(22, 40) * 1_000,
    day,
    time: "14:05",
    reason: "Operating’s surplus this month, toward the $12,000.00 goal.",
  });
}
