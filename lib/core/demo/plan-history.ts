import { APPROVAL_EXPIRY_MS } from "@/lib/contract/limits";
import { type DemoCalendar, demoCalendar } from "@/lib/core/demo/demo-calendar";
import { Draft } from "@/lib/core/demo/draft";
import { CYCLES, draftCycle } from "@/lib/core/demo/draft-cycle";
import { draftCardPayments, draftOutOfTheOrdinary, draftWaiting } from "@/lib/core/demo/draft-exceptions";
import type { DemoDeposit, DemoMovement, HistoryStep } from "@/lib/core/demo/history-step";
import { ACCOUNTS, type AccountName, ORGANIZATION } from "@/lib/core/demo/northwind";

/** Banking days: about three months. */
const HISTORY_DAYS = 66;
/** When the studio opened its accounts, and brought the money that its pods open with. */
const OPENING_DAY = HISTORY_DAYS - 1;
const SECOND_MS = 1_000;

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
 * The three months before `now`, planned whole: pure, and with the same amounts for any `now`; only the card is paid
 * two or three times. Every moment is on a banking day, except those of what waits, which was asked so and so long ago.
 * What each account opens with is whatever makes it end at the balance of `northwind.ts`.
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
