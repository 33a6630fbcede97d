import { APPROVAL_EXPIRY_MS } from "@/lib/contract/limits";
import { demoCalendar } from "@/lib/core/demo/demo-calendar";
import { Draft } from "@/lib/core/demo/draft";
import { ADS_FROZEN_DAY, draftCardYear } from "@/lib/core/demo/draft-cards";
import { CYCLES, draftCycle } from "@/lib/core/demo/draft-cycle";
import { CLAUDE_DAY, draftEarlierCycle, EARLIER_CYCLES } from "@/lib/core/demo/draft-earlier";
import { draftEarlierExceptions, draftFirstWeeksOfClaude } from "@/lib/core/demo/draft-earlier-exceptions";
import { draftCardPayments, draftOutOfTheOrdinary, draftWaiting } from "@/lib/core/demo/draft-exceptions";
import { planQueue } from "@/lib/core/demo/draft-queue";
import { draftRules } from "@/lib/core/demo/draft-rules";
import { draftHarborCloud, draftSubscriptions } from "@/lib/core/demo/draft-subscriptions";
import type {
  DemoCardCredit,
  DemoDeposit,
  DemoMovement,
  DemoPurchase,
  DemoRuleMove,
  HistoryStep,
} from "@/lib/core/demo/history-step";
import {
  ACCOUNTS,
  type AccountName,
  KEY_NAMES,
  ORGANIZATION,
  PAYEE_NAMES,
  PAYEES,
} from "@/lib/core/demo/northwind";
import { CARD_NAMES, CARDS } from "@/lib/core/demo/northwind-cards";
import { type PlannedCardNotice, planPurchase } from "@/lib/ports/cards/sandbox/make-purchase";

const PODS: AccountName[] = ["Operating", "Taxes", "Payroll", "Profit", "Owner’s pay"];

const SECOND_MS = 1_000;

/** The banking day, counted back from now, on whose morning the webhook receiver was down. */
const DOWN_DAY = 6;

/** In banking days: a year and a week, even in a year with few holidays. */
const HISTORY_DAYS = 258;
/** When the studio deposited the checks that open its pods. */
const OPENING_DAY = HISTORY_DAYS - 1;
/** When the money had cleared and the cards were issued. */
const CARDS_DAY = OPENING_DAY - 1;
const MINUTE_MS = 60_000;
/** When a member connected an assistant. */
const ASSISTANT_DAY = 22;

export interface History {
  /** When the organization is created, before everything else. */
  foundedAt: Date;
  /** In order of time. */
  steps: HistoryStep[];
  movements: DemoMovement[];
  purchases: DemoPurchase[];
  cardCredits: DemoCardCredit[];
  /** What rules will have moved once the steps are played. */
  ruleMoves: DemoRuleMove[];
  nextCardDueDate: string;
  /** Last news from the provider: the morning of the last banking day. */
  balancesRefreshedAt: Date;
  webhooks: WebhookTimes;
}

/** Moments in the endpoint's history. */
export interface WebhookTimes {
  madeAt: Date;
  /** The receiver answers 503 during this time, `downUntil` excluded. */
  downFrom: Date;
  downUntil: Date;
}

/**
 * Plans the twelve months before `now`, with the same amounts for any `now`. Movements are counted in banking days back
 * from now; calendar events (the card's due day, subscriptions) fall on their dates, equally often in any year. Only
 * waiting proposals and one unsettled purchase are at fixed distances from now. Each account opens with what makes it
 * end at its balance in `northwind.ts`. Pure.
 */
export function planHistory(now: Date): History {
  const calendar = demoCalendar(now, HISTORY_DAYS);
  const draft = new Draft(calendar);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) draftCycle(draft, cycle);
  draftCardPayments(draft);
  draftOutOfTheOrdinary(draft);
  draftWaiting(draft, now);
  for (let cycle = 0; cycle < EARLIER_CYCLES; cycle += 1) draftEarlierCycle(draft, cycle);
  draftEarlierExceptions(draft);
  draftFirstWeeksOfClaude(draft);
  draftCardYear(draft);
  draftSubscriptions(draft);
  draftHarborCloud(draft, now);
  draftRules(draft, now);
  const foundedAt = calendar.at(HISTORY_DAYS, "09:00");
  const opening = openingDeposits(draft, (minute) => calendar.at(OPENING_DAY, `10:0${minute}`));
  const steps = [
    ...setupSteps(foundedAt, calendar.at),
    ...opening.flatMap(depositSteps),
    ...toSteps(draft),
    ...planQueue(now),
    ...Array.from({ length: OPENING_DAY }, (_, index) => ({
      kind: "BANK_MORNING" as const,
      at: calendar.at(index + 1, "08:31"),
    })),
  ];
  const { movements, purchases, cardCredits, ruleMoves } = draft;
  return {
    foundedAt,
    steps: steps.sort((left, right) => left.at.getTime() - right.at.getTime()),
    movements,
    purchases,
    cardCredits,
    ruleMoves,
    nextCardDueDate: calendar.nextCardDueDate,
    balancesRefreshedAt: calendar.at(1, "06:12"),
    webhooks: {
      madeAt: calendar.at(CLAUDE_DAY, "16:40"),
      downFrom: calendar.at(DOWN_DAY, "08:20"),
      downUntil: calendar.at(DOWN_DAY, "10:50"),
    },
  };
}

/** Adds payees, then creates the keys that may pay them a minute apart, the later ones later, and cards once there is money to spend. */
function setupSteps(foundedAt: Date, at: (day: number, time: string) => Date): HistoryStep[] {
  return [
    ...PAYEE_NAMES.map((payee, index) => ({
      kind: "ADD_PAYEE" as const,
      // What still waits was added on the last banking day.
      at:
        PAYEES[payee].confirmedBy === null
          ? at(1, "16:12")
          : new Date(foundedAt.getTime() + (index + 1) * SECOND_MS),
      payee,
    })),
    { kind: "CONNECT_ASSISTANT", at: at(ASSISTANT_DAY, "09:40") },
    ...KEY_NAMES.map((key, index) => ({
      kind: "MAKE_KEY" as const,
      at:
        key === "claude-bookkeeping"
          ? at(CLAUDE_DAY, "10:12")
          : new Date(foundedAt.getTime() + (index + 1) * MINUTE_MS),
      key,
    })),
    ...CARD_NAMES.map((card, index) => ({
      kind: "ISSUE_CARD" as const,
      at: at(CARDS_DAY, `09:3${index}`),
      card,
    })),
    { kind: "FREEZE_CARD", at: at(ADS_FROZEN_DAY, "16:35"), card: "Ads", by: "MARA" },
  ];
}

/** The steps of the draft, unordered. */
function toSteps({ movements, deposits, purchases, cardCredits, ruleSteps }: Draft): HistoryStep[] {
  const mornings = new Set(purchases.flatMap(noticesOf).map(({ dueAt }) => dueAt.getTime()));
  return [
    ...deposits.flatMap(depositSteps),
    ...movements.flatMap(movementSteps),
    ...purchases.map((purchase) => ({ kind: "PURCHASE" as const, at: purchase.madeAt, purchase })),
    ...ruleSteps,
    ...cardCredits.map((credit) => ({ kind: "CARD_CREDIT" as const, at: credit.madeAt, credit })),
    ...[...mornings].map((dueAt) => ({ kind: "CARD_MORNING" as const, at: new Date(dueAt) })),
  ];
}

function depositSteps(deposit: DemoDeposit): HistoryStep[] {
  const made = { kind: "DEPOSIT" as const, at: deposit.madeAt, deposit };
  if (!deposit.returnedAt) return [made];
  return [made, { kind: "RETURN_DEPOSIT", at: deposit.returnedAt, deposit }];
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

/** Opening deposits, as checks at `openedAt`, that make each managed account end at its balance. */
function openingDeposits(draft: Draft, openedAt: (minute: number) => Date): DemoDeposit[] {
  const change = changesOf(draft);
  return PODS.map((to, index) => ({
    to,
    amountInCents: ACCOUNTS[to].balanceInCents - (change.get(to) ?? 0),
    payerName: ORGANIZATION.name,
    origin: "CHECK_DEPOSIT",
    madeAt: openedAt(index),
  }));
}

/** The card notices of a purchase within the history. */
export function noticesOf({ amountInCents, madeAt, end }: DemoPurchase): PlannedCardNotice[] {
  return end === "SETTLED" ? planPurchase(amountInCents, madeAt).notices : [];
}

/** The net change of each account in the draft. */
function changesOf({
  movements,
  deposits,
  purchases,
  cardCredits,
  ruleMoves,
}: Draft): Map<AccountName, number> {
  const change = new Map<AccountName, number>();
  const add = (account: AccountName, cents: number) =>
    change.set(account, (change.get(account) ?? 0) + cents);
  for (const { from, to, amountInCents, end } of movements) {
    if (end.kind !== "NOT_ASKED" && !(end.kind === "APPROVED" && !end.isUndone)) continue;
    add(from, -amountInCents);
    add(to, amountInCents);
  }
  for (const { from, to, amountInCents } of ruleMoves) {
    add(from, -amountInCents);
    add(to, amountInCents);
  }
  for (const { to, amountInCents, returnedAt } of deposits) if (!returnedAt) add(to, amountInCents);
  for (const purchase of purchases) {
    for (const { kind, amountInCents } of noticesOf(purchase)) {
      if (kind === "SETTLED") add(CARDS[purchase.card].account, -amountInCents);
      if (kind === "REFUND") add(CARDS[purchase.card].account, amountInCents);
    }
  }
  for (const { card, amountInCents } of cardCredits) add(CARDS[card].account, amountInCents);
  return change;
}
