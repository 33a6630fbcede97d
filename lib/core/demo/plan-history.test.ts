import { describe, expect, it } from "vitest";
import { bankingDateOf } from "@/lib/contract/banking-days";
import type { DemoMovement, HistoryStep } from "@/lib/core/demo/history-step";
import { ACCOUNTS, type AccountName } from "@/lib/core/demo/northwind";
import { CARDS, type CardName } from "@/lib/core/demo/northwind-cards";
import { type History, noticesOf, planHistory } from "@/lib/core/demo/plan-history";
import { planOrder } from "@/lib/ports/bank/sandbox/submit-order";
import { planPurchase } from "@/lib/ports/cards/sandbox/make-purchase";
import { proofSize } from "@/lib/testing/proof-size";

const DAY_MS = 86_400_000;
const MONTHS = 12;
/** More than a year, to cover every weekday, holiday neighbors, year ends, both clock changes, and a leap day. */
const STARTS = proofSize(80, 400);
const STARTS_MS = 400 * DAY_MS;
/** An odd step through the hours, so that starts fall before and after every hour of the plan. */
const FIRST_START = Date.parse("2027-11-01T00:10:00Z");
const STEP_MS = Math.round(STARTS_MS / STARTS) + 61 * 60_000;

const PLANS = Array.from({ length: STARTS }, (_, index) => {
  const now = new Date(FIRST_START + index * STEP_MS);
  return { now, history: planHistory(now) };
});

/** The starts at which a promise is broken; none expected. */
function brokenAt(isKept: (history: History, now: Date) => boolean): string[] {
  return PLANS.filter(({ history, now }) => !isKept(history, now)).map(({ now }) => now.toISOString());
}

const isOutside = (name: AccountName) => ACCOUNTS[name].type === "EXTERNAL_ACCOUNT";
const approvedOutside = (history: History) =>
  history.movements.flatMap((movement) =>
    movement.end.kind === "APPROVED" && (isOutside(movement.from) || isOutside(movement.to))
      ? [{ ...movement, ...movement.end }]
      : [],
  );

function plannedOrder(movement: DemoMovement, approvedAt: Date) {
  const order = {
    transferId: "",
    organizationId: "",
    direction: isOutside(movement.to) ? ("CREDIT" as const) : ("DEBIT" as const),
    amountInCents: movement.amountInCents,
    label: null,
    outsideAccount: { name: "", routingNumberLast4: null, accountNumberLast4: null, bankReference: null },
  };
  return planOrder(order, approvedAt);
}

describe("the demo's history, whenever it is created", () => {
  it("is between the founding and now, in order", () => {
    expect(
      brokenAt(({ steps, foundedAt }, now) => {
        const moments = [foundedAt, ...steps.map(({ at }) => at), now].map((at) => at.getTime());
        return moments.every((at, index) => index === 0 || at >= (moments[index - 1] ?? 0));
      }),
    ).toEqual([]);
  });

  it("decides while each proposal is open", () => {
    expect(
      brokenAt(({ movements }) =>
        movements.every(
          ({ end, askedAt }) => !("at" in end) || (end.at > askedAt && +end.at < +askedAt + DAY_MS),
        ),
      ),
    ).toEqual([]);
  });

  it("ends after the bank's last notice, and uses magic amounts only on purpose", () => {
    expect(
      brokenAt((history) => {
        const lastMorning = history.steps.findLast(({ kind }) => kind === "BANK_MORNING")?.at;
        return approvedOutside(history).every(({ at, isUndone, ...movement }) => {
          const { notices, transmission } = plannedOrder(movement, at);
          const comesBack = notices.some(({ kind }) => kind === "RETURNED") || notices.length === 0;
          return (
            transmission === "ANSWERED" &&
            comesBack === (isUndone === true) &&
            notices.every(({ dueAt }) => lastMorning !== undefined && dueAt <= lastMorning)
          );
        });
      }),
    ).toEqual([]);
  });

  it("requests nothing similar to the waiting tax transfer on the day before", () => {
    expect(
      brokenAt(({ movements }, now) =>
        movements.every(
          ({ from, to, end, askedAt }) =>
            from !== "Operating" || to !== "Taxes" || end.kind === "WAITING" || +askedAt < +now - DAY_MS,
        ),
      ),
    ).toEqual([]);
  });

  it("has paid the card eleven times, and knows the next due date", () => {
    expect(
      brokenAt(({ movements, nextCardDueDate }, now) => {
        const paid = movements.filter(({ to, end }) => to === "Summit Visa" && end.kind === "APPROVED");
        const daysAhead = (Date.parse(nextCardDueDate) - now.getTime()) / DAY_MS;
        return paid.length === 11 && nextCardDueDate.endsWith("-25") && daysAhead > -1 && daysAhead <= 31;
      }),
    ).toEqual([]);
  });

  it("moves the same money, whenever it is created", () => {
    const [first] = PLANS;
    const expected = first && moneyOf(first.history);
    expect(expected?.length).toBeGreaterThan(500);
    expect(brokenAt((history) => moneyOf(history).join() === expected?.join())).toEqual([]);
  });

  it("reaches back a year, with a client's payment and purchases of every card type in each month", () => {
    expect(
      brokenAt((history, now) => {
        const monthOf = (at: Date) => Math.floor((now.getTime() - at.getTime()) / (30.4 * DAY_MS));
        const clientMonths = history.steps.flatMap((step) =>
          step.kind === "DEPOSIT" && step.deposit.to === "Client payments" ? [monthOf(step.at)] : [],
        );
        const boughtWith = (type: string) =>
          history.purchases.flatMap((one) =>
            CARDS[one.card].cardType === type ? [monthOf(one.madeAt)] : [],
          );
        const kinds = [clientMonths, boughtWith("DEBIT_CARD"), boughtWith("OMNI_CARD")];
        return (
          now.getTime() - history.foundedAt.getTime() > 366 * DAY_MS &&
          kinds.every((months) => new Set(months.filter((month) => month < MONTHS)).size === MONTHS)
        );
      }),
    ).toEqual([]);
  });

  it("settles each purchase on a morning within the history, except the pending one", () => {
    expect(
      brokenAt(({ steps, purchases }, now) => {
        const mornings = steps.flatMap((step) => (step.kind === "CARD_MORNING" ? [step.at.getTime()] : []));
        const lastMorning = Math.max(...mornings);
        const pending = purchases.filter(({ end }) => end === "PENDING");
        return (
          purchases.flatMap(noticesOf).every(({ dueAt }) => dueAt.getTime() <= lastMorning) &&
          pending.length === 1 &&
          pending.every(({ amountInCents, madeAt }) =>
            planPurchase(amountInCents, madeAt).notices.every(({ dueAt }) => dueAt > now),
          )
        );
      }),
    ).toEqual([]);
  });

  it("stays within each card's limit in every calendar month", () => {
    expect(
      brokenAt(({ purchases }) => {
        const spent = new Map<string, number>();
        for (const { card, amountInCents, madeAt, end } of purchases) {
          if (end === "DECLINED") continue;
          const month = `${card} ${bankingDateOf(madeAt).slice(0, 7)}`;
          spent.set(month, (spent.get(month) ?? 0) + amountInCents);
        }
        const names = Object.entries(CARDS);
        return [...spent].every(([month, cents]) =>
          names.every(([name, card]) => !month.startsWith(`${name} `) || cents <= card.monthlyLimitInCents),
        );
      }),
    ).toEqual([]);
  });

  it("buys nothing with a card before it is issued or after it is frozen", () => {
    expect(
      brokenAt(({ steps }) => {
        const active = new Set<CardName>();
        return steps.every((step) => {
          if (step.kind === "ISSUE_CARD") active.add(step.card);
          if (step.kind === "FREEZE_CARD") active.delete(step.card);
          if (step.kind !== "PURCHASE") return true;
          return active.has(step.purchase.card) === (step.purchase.end !== "DECLINED");
        });
      }),
    ).toEqual([]);
  });

  it("never overdraws a pod, nor takes Operating below its floor", () => {
    expect(brokenAt((history) => leastAboveFloor(history) >= 0)).toEqual([]);
  });
});

/** All money that moves, in an order independent of dates. */
function moneyOf({ steps, movements, ruleMoves, purchases, cardCredits }: History): string[] {
  const deposits = steps.flatMap((step) =>
    step.kind === "DEPOSIT" ? [[step.deposit.to, step.deposit.payerName, step.deposit.amountInCents]] : [],
  );
  return [
    ...deposits,
    ...movements.map(({ key, from, to, amountInCents, end }) => [key, from, to, amountInCents, end.kind]),
    ...ruleMoves.map(({ rule, from, to, amountInCents }) => [rule, from, to, amountInCents]),
    ...purchases.map(({ card, merchant, amountInCents, end }) => [card, merchant, amountInCents, end]),
    ...cardCredits.map(({ card, merchant, amountInCents, subtype }) => [
      card,
      merchant,
      amountInCents,
      subtype,
    ]),
  ]
    .map((parts) => parts.join(" "))
    .sort();
}

/** The smallest distance of any account to its floor (or zero); card holds count from the start. */
function leastAboveFloor({ steps, ruleMoves }: History): number {
  const balances = new Map<AccountName, number>();
  const clearing: { to: AccountName; amountInCents: number }[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  const add = (name: AccountName, cents: number) => balances.set(name, (balances.get(name) ?? 0) + cents);
  const take = (name: AccountName, cents: number) => {
    add(name, -cents);
    if (isOutside(name)) return;
    lowest = Math.min(lowest, (balances.get(name) ?? 0) - (ACCOUNTS[name].floorInCents ?? 0));
  };
  const runs = ruleMoves.toSorted((left, right) => left.at.getTime() - right.at.getTime());
  const play = (step: HistoryStep) => {
    switch (step.kind) {
      case "DEPOSIT":
        if (step.deposit.origin === "CHECK_DEPOSIT") clearing.push(step.deposit);
        else add(step.deposit.to, step.deposit.amountInCents);
        break;
      case "BANK_MORNING":
        for (const { to, amountInCents } of clearing.splice(0)) add(to, amountInCents);
        break;
      case "RETURN_DEPOSIT":
        take(step.deposit.to, step.deposit.amountInCents);
        break;
      case "PURCHASE":
        // The full amount permanently: ignoring refunds only makes this stricter.
        if (step.purchase.end !== "DECLINED") {
          take(CARDS[step.purchase.card].account, step.purchase.amountInCents);
        }
        break;
      case "DECIDE":
      case "ASK": {
        const isBooked = step.kind === "DECIDE" ? step.note === null : step.movement.end.kind === "NOT_ASKED";
        if (!isBooked) break;
        const { from, to, amountInCents, end } = step.movement;
        take(from, amountInCents);
        add(end.kind === "APPROVED" && end.isUndone ? from : to, amountInCents);
      }
    }
  };
  for (const step of steps) {
    play(step);
    // What the step triggered.
    while (runs[0] && runs[0].at <= step.at) {
      const { from, to, amountInCents } = runs.shift() ?? runs[0];
      take(from, amountInCents);
      add(to, amountInCents);
    }
  }
  return lowest;
}
