import { bankingDateOf } from "@/lib/contract/banking-days";
import {
  addDays,
  dayInMonth,
  dayOfMonth,
  eachDate,
  monthOf,
  newYorkTime,
  weekdayOf,
  weekOf,
} from "@/lib/ports/aggregator/sandbox/calendar";
import type { LoanTerms, SandboxAccount } from "@/lib/ports/aggregator/sandbox/institutions";
import {
  type Draw,
  drawnNumbers,
  idOf,
  postedNet,
  type ScheduledTransaction,
} from "@/lib/ports/aggregator/sandbox/scheduled-transaction";
import type { Payee, Settling, Stream } from "@/lib/ports/aggregator/sandbox/streams";

const FRIDAY = 5;
/** From this day of the history on, price increases apply. */
const DEARER_FROM_DAY = 215;
/** The amount a fuel pump authorizes before the final one is known. */
const FUEL_HELD_IN_CENTS = 10_000;
const MORNING = 6 * 60;

/**
 * What the account's streams produce from the first day of its history to `until`. Pure: the same account always has
 * the same past, and each new day adds to it.
 */
export function computeStreams(account: SandboxAccount, until: Date): ScheduledTransaction[] {
  const dates = eachDate(account.historyFrom, bankingDateOf(until));
  const dearerFrom = addDays(account.historyFrom, DEARER_FROM_DAY);
  return account.template.streams.flatMap((stream) =>
    dates.flatMap((date) => {
      if (!isDay(stream, date)) return [];
      const draw = drawnNumbers(`${account.accountId}|${stream.key}|${date}`);
      const payee = payeeOn(stream, date, draw, dearerFrom);
      if (!payee) return [];
      const transaction = computeOne(account, stream, payee, date, draw);
      if (transaction.appearsAt > until) return [];
      if (stream.pausesWhileServed && isServed(account, transaction.appearsAt)) return [];
      return [transaction];
    }),
  );
}

/** Whether Sluice paid onto the account then, in place of a stream. From its connection on, only the customer does. */
function isServed({ servedSince, connectedAt }: SandboxAccount, at: Date): boolean {
  return servedSince !== null && at >= servedSince && at < connectedAt;
}

/** Whether this stream can have anything on this day. */
function isDay(stream: Stream, date: string): boolean {
  if (stream.kind === "OFTEN") return true;
  if (stream.kind === "EVERY_OTHER_FRIDAY") return weekdayOf(date) === FRIDAY && weekOf(date) % 2 === 0;
  return dayOfMonth(date) === stream.day && monthOf(date) % (stream.everyMonths ?? 1) === 0;
}

/** Who is paid (or pays) on this day, if anyone. */
function payeeOn(stream: Stream, date: string, draw: Draw, dearerFrom: string): Payee | null {
  switch (stream.kind) {
    case "MONTHLY": {
      const { laterCents } = stream;
      if (laterCents === undefined || date < dearerFrom) return stream.payee;
      return { ...stream.payee, cents: [laterCents, laterCents] };
    }
    case "EVERY_OTHER_FRIDAY":
      return stream.payee;
    case "OFTEN": {
      const isToday = draw(1, 7_000) <= stream.timesAWeek * 1_000;
      return isToday ? (stream.payees[draw(0, stream.payees.length - 1)] ?? null) : null;
    }
  }
}

function computeOne(
  account: SandboxAccount,
  stream: Stream,
  payee: Payee,
  date: string,
  draw: Draw,
): ScheduledTransaction {
  const amountInCents = draw(payee.cents[0], payee.cents[1]);
  const id = idOf(account.accountId, stream.key, date);
  const life = liveOut(stream.settling, amountInCents, date, draw);
  const isKnownLater = stream.settling !== "DIRECT" && draw(1, 100) <= 25;
  const isRenamed = account.renamesPosted && stream.settling !== "DIRECT";
  return {
    id,
    postedId: isRenamed ? `${id}_posted` : id,
    accountId: account.accountId,
    direction: stream.direction,
    description: payee.raw,
    merchantName: payee.name,
    providerCategory: payee.category,
    ...life,
    enrichedAt: isKnownLater
      ? newYorkTime(addDays(date, draw(1, 2)), MORNING + draw(30, 170))
      : life.appearsAt,
    change: 0,
  };
}

type Life = Pick<
  ScheduledTransaction,
  "pendingAmountInCents" | "postedAmountInCents" | "appearsAt" | "settlesAt" | "vanishesAt"
>;

function liveOut(settling: Settling, amountInCents: number, date: string, draw: Draw): Life {
  const same = { pendingAmountInCents: amountInCents, postedAmountInCents: amountInCents, vanishesAt: null };
  if (settling === "DIRECT") {
    const postedAt = newYorkTime(date, MORNING + draw(0, 59));
    return { ...same, appearsAt: postedAt, settlesAt: postedAt };
  }
  if (settling === "ACH") {
    return {
      ...same,
      appearsAt: newYorkTime(date, 9 * 60 + draw(0, 120)),
      settlesAt: newYorkTime(addDays(date, 1), MORNING),
    };
  }
  const appearsAt = newYorkTime(date, draw(7 * 60, 21 * 60 + 59));
  const endsAt = newYorkTime(addDays(date, draw(1, 3)), MORNING + draw(0, 59));
  // A canceled order, or a deposit hold that was never used.
  if (draw(1, 100) <= 3) return { ...same, appearsAt, settlesAt: null, vanishesAt: endsAt };
  const life = { ...same, appearsAt, settlesAt: endsAt };
  if (settling === "FUEL") return { ...life, pendingAmountInCents: FUEL_HELD_IN_CENTS };
  if (settling !== "TIPPED") return life;
  return { ...life, postedAmountInCents: amountInCents + Math.round((amountInCents * draw(15, 22)) / 100) };
}

/** Ten years of months, like the days of the calendar. */
const MAX_MONTHS = 121;
/** How long before its due date a card is paid. */
const PAID_DAYS_BEFORE_DUE = 5;
const TO_SAVINGS_DAY = 8;
const TO_SAVINGS_IN_CENTS = 12_000;
const PAYMENT_TIME = 6 * 60 + 30;

interface Movement {
  key: string;
  date: string;
  amountInCents: number;
  direction: ScheduledTransaction["direction"];
  description: string;
  category: string;
}

/**
 * What accounts of one customer at one institution owe each other: card and loan payments from checking, and savings. A
 * card or loan without a checking account beside it is paid from elsewhere. Pure, like the streams.
 */
export function computeObligations(
  account: SandboxAccount,
  siblings: readonly SandboxAccount[],
  until: Date,
): ScheduledTransaction[] {
  const all = [account, ...siblings];
  const movements: Movement[] = [];
  for (const other of all) {
    const isOwn = other === account;
    if (!isOwn && account.template.kind !== "CHECKING") continue;
    movements.push(...cardPayments(other, isOwn, until), ...loanMovements(other, isOwn, until));
  }
  const hasBoth = ["CHECKING", "SAVINGS"].every((kind) => all.some(({ template }) => template.kind === kind));
  if (hasBoth) movements.push(...savings(account, until));
  return movements
    .map((movement) => toScheduled(account, movement))
    .filter(({ appearsAt }) => appearsAt <= until);
}

/** The purchases of each statement's month, paid before the due date: visible on the card and on the paying account. */
function cardPayments(card: SandboxAccount, isOwn: boolean, until: Date): Movement[] {
  const terms = card.template.card;
  if (!terms) return [];
  const purchases = computeStreams(card, until);
  return monthsOf(card, until, terms.dueDay).flatMap((dueDate) => {
    const closing = newYorkTime(dayInMonth(dueDate, -1, terms.dueDay), 0);
    const before = newYorkTime(dayInMonth(dueDate, -2, terms.dueDay), 0);
    const date = addDays(dueDate, -PAID_DAYS_BEFORE_DUE);
    const amountInCents = postedNet(purchases, before) - postedNet(purchases, closing);
    const isOverSluice = card.servedSince !== null && newYorkTime(date, PAYMENT_TIME) >= card.servedSince;
    if (amountInCents <= 0 || isOverSluice) return [];
    return {
      key: `card-payment-${card.accountId}`,
      date,
      amountInCents,
      direction: isOwn ? "MONEY_IN" : "MONEY_OUT",
      description: isOwn ? "AUTOPAY PAYMENT - THANK YOU" : `${card.template.name.toUpperCase()} AUTOPAY`,
      category: "LOAN_PAYMENTS_CREDIT_CARD_PAYMENT",
    };
  });
}

function loanMovements(loan: SandboxAccount, isOwn: boolean, until: Date): Movement[] {
  const terms = loan.template.loan;
  if (!terms) return [];
  return monthsOf(loan, until, terms.dueDay).flatMap((date, index) => {
    const { interestInCents, paymentInCents } = instalment(terms, terms.paymentsBefore + index);
    if (paymentInCents === 0) return [];
    const payment: Movement = {
      key: `loan-payment-${loan.accountId}`,
      date,
      amountInCents: paymentInCents,
      direction: isOwn ? "MONEY_IN" : "MONEY_OUT",
      description: isOwn ? "PAYMENT RECEIVED" : `${loan.template.name.toUpperCase()} PAYMENT`,
      category: loan.template.name.includes("Mortgage")
        ? "LOAN_PAYMENTS_MORTGAGE_PAYMENT"
        : "LOAN_PAYMENTS_CAR_PAYMENT",
    };
    if (!isOwn) return [payment];
    const interest: Movement = {
      key: `loan-interest-${loan.accountId}`,
      date,
      amountInCents: interestInCents,
      direction: "MONEY_OUT",
      description: "INTEREST CHARGE",
      category: "BANK_FEES_INTEREST_CHARGE",
    };
    return interestInCents > 0 ? [interest, payment] : [payment];
  });
}

/** The amount owed after `paid` payments, with which the loan's history opens. */
export function owedAfter(terms: LoanTerms, paid: number): number {
  let owed = terms.originalInCents;
  for (let index = 0; index < paid; index += 1) {
    const interest = interestOn(terms, owed);
    owed = Math.max(0, owed + interest - terms.paymentInCents);
  }
  return owed;
}

function instalment(terms: LoanTerms, index: number): { interestInCents: number; paymentInCents: number } {
  const owed = owedAfter(terms, index);
  const interestInCents = interestOn(terms, owed);
  return { interestInCents, paymentInCents: Math.min(terms.paymentInCents, owed + interestInCents) };
}

function interestOn(terms: LoanTerms, owed: number): number {
  return Math.round((owed * terms.interestRatePercentage) / 1_200);
}

function savings(account: SandboxAccount, until: Date): Movement[] {
  const { kind } = account.template;
  if (kind !== "CHECKING" && kind !== "SAVINGS") return [];
  return monthsOf(account, until, TO_SAVINGS_DAY).map((date) => ({
    key: "to-savings",
    date,
    amountInCents: TO_SAVINGS_IN_CENTS,
    direction: kind === "CHECKING" ? "MONEY_OUT" : "MONEY_IN",
    description: kind === "CHECKING" ? "TRANSFER TO SAVINGS" : "TRANSFER FROM CHECKING",
    category: kind === "CHECKING" ? "TRANSFER_OUT_SAVINGS" : "TRANSFER_IN_SAVINGS",
  }));
}

/** The day of each month from the account's first day on, up to the month after `until`. */
function monthsOf(account: SandboxAccount, until: Date, day: number): string[] {
  const last = dayInMonth(bankingDateOf(until), 1, day);
  const months: string[] = [];
  for (let count = 0; count < MAX_MONTHS; count += 1) {
    const date = dayInMonth(account.historyFrom, count, day);
    if (date > last) break;
    if (date >= account.historyFrom) months.push(date);
  }
  return months;
}

/** Within one institution: posted immediately. */
function toScheduled(account: SandboxAccount, movement: Movement): ScheduledTransaction {
  const id = idOf(account.accountId, movement.key, movement.date);
  const moment = newYorkTime(movement.date, PAYMENT_TIME);
  return {
    id,
    postedId: id,
    accountId: account.accountId,
    direction: movement.direction,
    pendingAmountInCents: movement.amountInCents,
    postedAmountInCents: movement.amountInCents,
    description: movement.description,
    merchantName: null,
    providerCategory: movement.category,
    appearsAt: moment,
    enrichedAt: moment,
    settlesAt: moment,
    vanishesAt: null,
    change: 0,
  };
}
