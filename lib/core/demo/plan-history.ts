import { APPROVAL_EXPIRY_MS } from "@/lib/contract/limits";
import { type DemoCalendar, demoCalendar } from "@/lib/core/demo/demo-calendar";
import type { DemoDeposit, DemoEnd, DemoMovement, HistoryStep } from "@/lib/core/demo/history-step";
import { ACCOUNTS, type AccountName, type MemberName, ORGANIZATION } from "@/lib/core/demo/northwind";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { bankingDateOf } from "@/lib/platform/banking-days";

/** Banking days: about three months. */
const HISTORY_DAYS = 66;
/** A cycle is five banking days, a week without a holiday; the first begins some days after the opening. */
const CYCLES = 12;
const CYCLE_DAYS = 5;
const CARD_PAYMENTS_AT_MOST = 3;
/** The card is paid this long before it is due. */
const CARD_PAID_DAYS_BEFORE = 5;
const SEED = 8_820;
/** When the studio opened its accounts, and brought the money that its pods open with. */
const OPENING_DAY = HISTORY_DAYS - 1;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/**
 * What `claude-bookkeeping` moved to Taxes, cycle by cycle: between $1,600.00 and $2,400.00, so that the waiting
 * $4,250.00 is 2.1 times the median of $2,020.00.
 */
const TO_TAXES = [
  205_000, 240_000, 160_000, 185_000, 202_000, 160_000, 240_000, 172_000, 240_000, 160_000, 240_000, 210_000,
];
const PAYERS = ["Halden Health", "Orbit Maps", "Juniper Foods", "Finch & Co"];
const TAX_PAYMENT_CYCLES = [2, 6, 10];
const TAX_PAYMENT_IN_CENTS = 1_320_000;

export interface History {
  /** When the organization is founded, before everything else. */
  foundedAt: Date;
  /** In order of time. */
  steps: HistoryStep[];
  movements: DemoMovement[];
  nextCardDueDate: string;
  /** When the provider was last heard of: the morning of the last banking day. */
  balancesRefreshedAt: Date;
}

/**
 * The three months before `now`, planned whole: pure, and with the same amounts for any `now`; only the card is paid two
 * or three times. Every moment is on a banking day, except those of what waits, which was asked so and so long ago. What each account opens with is
 * whatever makes it end at the balance of `northwind.ts`.
 */
export function planHistory(now: Date): History {
  const calendar = demoCalendar(now, HISTORY_DAYS);
  const draft = new Draft(calendar);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) draftCycle(draft, cycle);
  draftCardPayments(draft);
  draftOutOfTheOrdinary(draft);
  draftWaiting(draft, now);
  const { movements, deposits } = draft;
  const opening = openingDeposits(calendar, movements, deposits);
  return {
    foundedAt: calendar.at(HISTORY_DAYS, "09:00"),
    steps: toSteps(calendar, movements, [...opening, ...deposits]),
    movements,
    nextCardDueDate: calendar.nextCardDueDate,
    balancesRefreshedAt: calendar.at(1, "06:12"),
  };
}

type Ask = Omit<DemoMovement, "askedAt" | "end"> & {
  /** Banking days before today, and New York time. */
  day: number;
  time: string;
};

/** Collects what happens, with the pauses and preferences of two people who decide. */
class Draft {
  readonly movements: DemoMovement[] = [];
  readonly deposits: DemoDeposit[] = [];
  readonly number = seededNumbers(SEED);

  constructor(readonly calendar: DemoCalendar) {}

  /** Decided within an hour and a half, by one of the two. */
  approved(ask: Ask, isUndone = false): void {
    const askedAt = this.calendar.at(ask.day, ask.time);
    const by: MemberName = this.number(0, 99) < 55 ? "JONAS" : "MARA";
    const at = new Date(askedAt.getTime() + this.number(3, 85) * MINUTE_MS + this.number(0, 59) * SECOND_MS);
    this.add(ask, askedAt, { kind: "APPROVED", by, at, isUndone });
  }

  denied(ask: Ask, by: MemberName, minutesLater: number, note: string): void {
    const askedAt = this.calendar.at(ask.day, ask.time);
    this.add(ask, askedAt, {
      kind: "DENIED",
      by,
      at: new Date(askedAt.getTime() + minutesLater * MINUTE_MS),
      note,
    });
  }

  add({ day: _day, time: _time, ...movement }: Ask, askedAt: Date, end: DemoEnd): void {
    this.movements.push({ ...movement, askedAt, end });
  }

  deposit(day: number, time: string, payerName: string, amountInCents: number): void {
    this.deposits.push({
      to: "Client payments",
      amountInCents,
      payerName,
      origin: "DIRECT_DEPOSIT",
      reference: `FH-${this.calendar.bankingDay(day)}-8820`,
      arrivedAt: this.calendar.at(day, time),
    });
  }
}

/** A week of the studio: a client pays, the payment is divided, and the pods get and give what they are for. */
function draftCycle(draft: Draft, cycle: number): void {
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
    reason:
      "Sets aside this week’s share of the estimated tax, so that the quarter does not come as a surprise.",
  });
  draftPayroll(draft, payrollDay, cycle);
  draftWages(draft, wagesDay, cycle);
  draftSweep(draft, sweepDay, cycle);
  draftRoundups(draft, [payDay, payrollDay, sweepDay]);
  if (TAX_PAYMENT_CYCLES.includes(cycle)) {
    draft.approved({
      key: "mara-cli",
      from: "Taxes",
      to: "First Harbor Checking",
      amountInCents: TAX_PAYMENT_IN_CENTS,
      day: sweepDay,
      time: "10:20",
      label: "TAX",
      reason: "Sales and payroll taxes of the month, paid from checking tomorrow.",
    });
  }
}

function draftClientPayment(draft: Draft, day: number, cycle: number): void {
  const payer = PAYERS[cycle % PAYERS.length] ?? "";
  const amountInCents = draft.number(108, 172) * 5_000;
  const taxInCents = amountInCents / 4;
  const invoice = 310 + cycle;
  draft.deposit(day, "08:55", payer, amountInCents);
  const share = { key: "zapier-invoices", from: "Client payments", day, time: "09:05" } as const;
  const reason = (what: string) => `${payer} paid invoice ${invoice}. ${what}`;
  draft.approved({
    ...share,
    to: "Taxes",
    amountInCents: taxInCents,
    reason: reason("A quarter of it is for taxes."),
  });
  draft.approved({
    ...share,
    to: "Operating",
    amountInCents: amountInCents - taxInCents,
    reason: reason("The rest runs the studio."),
  });
}

function draftPayroll(draft: Draft, day: number, cycle: number): void {
  draft.approved({
    key: "ops-payroll",
    from: "Operating",
    to: "Payroll",
    amountInCents: 175_000,
    day,
    time: "08:10",
    reason: "Wages of two people for one week.",
  });
  const topUp: Ask = {
    key: "claude-bookkeeping",
    from: "Operating",
    to: "Payroll",
    amountInCents: draft.number(56, 68) * 1_000,
    day,
    time: "11:15",
    reason: "Employer’s share of payroll tax on this week’s wages.",
  };
  if (cycle === 5) draft.denied(topUp, "JONAS", 52, "Payroll holds enough for this week.");
  else draft.approved(topUp);
}

/** Staff one week, the owner the other. */
function draftWages(draft: Draft, day: number, cycle: number): void {
  draft.approved({
    key: "mara-cli",
    from: "Operating",
    to: "Owner’s pay",
    amountInCents: 80_000,
    day,
    time: "09:00",
    reason: null,
  });
  if (cycle % 2 === 0) {
    draft.approved({
      key: "mara-cli",
      from: "Owner’s pay",
      to: "First Harbor Checking",
      amountInCents: 150_000,
      day,
      time: "13:30",
      label: "OWNER PAY",
      reason: "Owner’s pay for two weeks.",
    });
    return;
  }
  draft.approved({
    key: "ops-payroll",
    from: "Payroll",
    to: "First Harbor Checking",
    amountInCents: 410_000,
    day,
    time: "13:45",
    label: "NW WAGES",
    reason: "Wages for the two weeks that end on Friday.",
  });
}

function draftSweep(draft: Draft, day: number, cycle: number): void {
  const sweep: Ask = {
    key: "claude-bookkeeping",
    from: "Operating",
    to: "Profit",
    amountInCents: draft.number(12, 30) * 1_000,
    day,
    time: "14:05",
    reason: "What Operating did not need this week, towards the goal of $12,000.00.",
  };
  if (cycle === 8) draft.denied(sweep, "MARA", 34, "Wait until the card is paid.");
  else draft.approved(sweep);
}

function draftRoundups(draft: Draft, days: readonly number[]): void {
  for (const day of days) {
    const ask: Ask = {
      key: "roundup-bot",
      from: "Operating",
      to: "Profit",
      amountInCents: draft.number(110, 990),
      day,
      time: "17:20",
      reason: null,
    };
    draft.add(ask, draft.calendar.at(day, ask.time), { kind: "NOT_ASKED" });
  }
}

const CARD_STATEMENTS_IN_CENTS = [214_075, 198_630, 220_715];

function draftCardPayments(draft: Draft): void {
  const dueDates = draft.calendar.earlierCardDueDates(CARD_PAYMENTS_AT_MOST);
  for (const [index, dueDate] of dueDates.entries()) {
    const day = draft.calendar.bankingDayBefore(dueDate, CARD_PAID_DAYS_BEFORE);
    // Before the first cycle the studio paid its card elsewhere.
    if (day === null || day > CYCLES * CYCLE_DAYS) continue;
    draft.approved({ ...cardPayment(dueDate, CARD_STATEMENTS_IN_CENTS[index] ?? 0), day, time: "11:40" });
  }
}

function cardPayment(dueDate: string, amountInCents: number) {
  const month = new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" }).format(
    new Date(dueDate),
  );
  return {
    key: "ops-cardpay",
    from: "Operating",
    to: "Summit Visa",
    amountInCents,
    reason: `${month} statement is due on ${Number(dueDate.slice(8))} ${month}. This pays it in full.`,
  } as const;
}

/** What does not go as asked, so that every outcome can be seen. */
function draftOutOfTheOrdinary(draft: Draft): void {
  const claude = { key: "claude-bookkeeping" } as const;
  // .03: settles, and comes back two banking days later (R10).
  draft.approved(
    {
      ...claude,
      from: "First Harbor Checking",
      to: "Operating",
      amountInCents: 50_003,
      day: 20,
      time: "10:30",
      reason: "Checking holds more than its bills need. This brings $500.03 back to work.",
    },
    true,
  );
  // .02: the bank takes it and sends it back instead of settling it (R01).
  draft.approved(
    {
      ...claude,
      from: "Taxes",
      to: "First Harbor Checking",
      amountInCents: 290_002,
      day: 5,
      time: "11:50",
      label: "STATE TAX",
      reason: "State tax is paid from checking on the 20th.",
    },
    true,
  );
  const forgotten: Ask = {
    key: "mara-cli",
    from: "Operating",
    to: "Owner’s pay",
    amountInCents: 80_000,
    day: 4,
    time: "10:15",
    reason: "An extra week’s pay.",
  };
  draft.add(forgotten, draft.calendar.at(forgotten.day, forgotten.time), { kind: "EXPIRED" });
  draft.denied(
    {
      ...claude,
      from: "Profit",
      to: "First Harbor Checking",
      amountInCents: 120_000,
      day: 1,
      time: "15:05",
      reason: "Checking will be short of the rent on the 1st. This covers it.",
    },
    "MARA",
    95,
    "Keep the goal on track.",
  );
  draft.deposit(1, "09:20", "Finch & Co", ACCOUNTS["Client payments"].balanceInCents);
}

/** What waits: the card's bill closes in 2 h 40 min, the tax in 21 h 14 min. */
function draftWaiting(draft: Draft, now: Date): void {
  const ago = (hours: number, minutes: number) =>
    new Date(now.getTime() - (hours * 60 + minutes) * MINUTE_MS);
  draft.movements.push({
    ...cardPayment(draft.calendar.nextCardDueDate, ACCOUNTS["Summit Visa"].balanceInCents),
    askedAt: ago(21, 20),
    end: { kind: "WAITING" },
  });
  const askedAt = ago(2, 46);
  draft.movements.push({
    key: "claude-bookkeeping",
    from: "Operating",
    to: "Taxes",
    amountInCents: 425_000,
    askedAt,
    label: "Q4 TAX",
    reason:
      "Q4 estimated tax is $13,560.00 and due 15 December. Taxes holds $9,310.00. This transfer closes the gap so the quarterly payment can go out in full.",
    idempotencyKey: `q4-estimate-${bankingDateOf(askedAt)}`,
    calledReason: "Closing the gap before the Q4 estimate",
    end: { kind: "WAITING" },
  });
}

/** What each managed account must open with to end at its balance. */
function openingDeposits(
  calendar: DemoCalendar,
  movements: readonly DemoMovement[],
  deposits: readonly DemoDeposit[],
): DemoDeposit[] {
  const change = new Map<AccountName, number>();
  const add = (account: AccountName, cents: number) =>
    change.set(account, (change.get(account) ?? 0) + cents);
  for (const { from, to, amountInCents, end } of movements) {
    if (end.kind !== "NOT_ASKED" && !(end.kind === "APPROVED" && !end.isUndone)) continue;
    add(from, -amountInCents);
    add(to, amountInCents);
  }
  for (const deposit of deposits) add(deposit.to, deposit.amountInCents);
  const pods: AccountName[] = ["Operating", "Taxes", "Payroll", "Profit", "Owner’s pay"];
  return pods.map((to, index) => ({
    to,
    amountInCents: ACCOUNTS[to].balanceInCents - (change.get(to) ?? 0),
    payerName: ORGANIZATION.name,
    origin: "CHECK_DEPOSIT",
    reference: `FH-OPENING-${index + 1}`,
    arrivedAt: calendar.at(OPENING_DAY, `10:0${index}`),
  }));
}

function toSteps(
  calendar: DemoCalendar,
  movements: readonly DemoMovement[],
  deposits: readonly DemoDeposit[],
): HistoryStep[] {
  const steps: HistoryStep[] = [
    ...deposits.map((deposit) => ({ kind: "DEPOSIT" as const, at: deposit.arrivedAt, deposit })),
    ...movements.flatMap(movementSteps),
    ...Array.from({ length: OPENING_DAY }, (_, index) => ({
      kind: "BANK_MORNING" as const,
      at: calendar.at(index + 1, "08:31"),
    })),
  ];
  return steps.sort((left, right) => left.at.getTime() - right.at.getTime());
}

function movementSteps(movement: DemoMovement): HistoryStep[] {
  const { askedAt, end } = movement;
  const ask = { kind: "ASK" as const, at: askedAt, movement };
  if (end.kind === "EXPIRED") {
    return [ask, { kind: "EXPIRE", at: new Date(askedAt.getTime() + APPROVAL_EXPIRY_MS + SECOND_MS) }];
  }
  if (end.kind !== "APPROVED" && end.kind !== "DENIED") return [ask];
  const note = end.kind === "DENIED" ? end.note : null;
  return [ask, { kind: "DECIDE", at: end.at, movement, by: end.by, note }];
}
