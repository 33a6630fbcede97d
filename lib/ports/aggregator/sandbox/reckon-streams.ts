import { bankingDateOf } from "@/lib/contract/banking-days";
import {
  addDays,
  dayOfMonth,
  eachDate,
  monthOf,
  newYorkTime,
  weekdayOf,
  weekOf,
} from "@/lib/ports/aggregator/sandbox/calendar";
import { type Draw, drawnNumbers, idOf } from "@/lib/ports/aggregator/sandbox/drawn-numbers";
import type { SandboxAccount } from "@/lib/ports/aggregator/sandbox/sandbox-account";
import type { ScheduledTransaction } from "@/lib/ports/aggregator/sandbox/scheduled-transaction";
import type { Payee, Settling, Stream } from "@/lib/ports/aggregator/sandbox/streams";

const FRIDAY = 5;
/** From this day of its history on, what becomes dearer is dearer. */
const DEARER_FROM_DAY = 215;
/** What a pump keeps back before anybody knows how much is taken. */
const FUEL_HELD_IN_CENTS = 10_000;
const MORNING = 6 * 60;

/**
 * What the account's streams make happen from the first day of its history to `until`. Pure: the same account has the
 * same past whenever it is asked, and each new day adds to it.
 */
export function reckonStreams(account: SandboxAccount, until: Date): ScheduledTransaction[] {
  const dates = eachDate(account.historyFrom, bankingDateOf(until));
  const dearerFrom = addDays(account.historyFrom, DEARER_FROM_DAY);
  return account.template.streams.flatMap((stream) =>
    dates.flatMap((date) => {
      if (!isDay(stream, date)) return [];
      const draw = drawnNumbers(`${account.accountId}|${stream.key}|${date}`);
      const payee = payeeOn(stream, date, draw, dearerFrom);
      if (!payee) return [];
      const reckoned = reckonOne(account, stream, payee, date, draw);
      if (reckoned.appearsAt > until) return [];
      if (stream.pausesWhileServed && isServed(account, reckoned.appearsAt)) return [];
      return [reckoned];
    }),
  );
}

/** Whether Sluice paid onto the account then, in place of a stream. From its connection on nobody may do so any more. */
function isServed({ servedSince, connectedAt }: SandboxAccount, at: Date): boolean {
  return servedSince !== null && at >= servedSince && at < connectedAt;
}

/** Whether anything of this stream can be on this day. */
function isDay(stream: Stream, date: string): boolean {
  if (stream.kind === "OFTEN") return true;
  if (stream.kind === "EVERY_OTHER_FRIDAY") return weekdayOf(date) === FRIDAY && weekOf(date) % 2 === 0;
  return dayOfMonth(date) === stream.day && monthOf(date) % (stream.everyMonths ?? 1) === 0;
}

/** Who is paid (or pays) on this day, if anybody. */
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

function reckonOne(
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
  // A shop that cancels, or a guarantee that was never used.
  if (draw(1, 100) <= 3) return { ...same, appearsAt, settlesAt: null, vanishesAt: endsAt };
  const life = { ...same, appearsAt, settlesAt: endsAt };
  if (settling === "FUEL") return { ...life, pendingAmountInCents: FUEL_HELD_IN_CENTS };
  if (settling !== "TIPPED") return life;
  return { ...life, postedAmountInCents: amountInCents + Math.round((amountInCents * draw(15, 22)) / 100) };
}
