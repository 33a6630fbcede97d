import { describe, expect, it } from "vitest";
import type { DemoMovement } from "@/lib/core/demo/history-step";
import { ACCOUNTS, type AccountName } from "@/lib/core/demo/northwind";
import { type History, planHistory } from "@/lib/core/demo/plan-history";
import { planOrder } from "@/lib/ports/bank/sandbox/plan-order";

const DAY_MS = 86_400_000;
/** More than a year and a day: every weekday meets every holiday's neighbours, two changes of the clock, a leap day. */
const DAYS = 400;
/** An odd step through the hours, so that starts fall before and after every hour of the plan. */
const FIRST_START = Date.parse("2027-11-01T00:10:00Z");
const STEP_MS = DAY_MS + 61 * 60_000;

const PLANS = Array.from({ length: DAYS }, (_, index) => {
  const now = new Date(FIRST_START + index * STEP_MS);
  return { now, history: planHistory(now) };
});

/** The starts at which a promise is broken: none. */
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
    outsideAccount: { name: "", routingNumberLast4: null, accountNumberLast4: null },
  };
  return planOrder(order, approvedAt);
}

describe("the demo's history, whenever it is made", () => {
  it("lies between the founding and now, in order", () => {
    expect(
      brokenAt(({ steps, foundedAt }, now) => {
        const moments = [foundedAt, ...steps.map(({ at }) => at), now].map((at) => at.getTime());
        return moments.every((at, index) => index === 0 || at >= (moments[index - 1] ?? 0));
      }),
    ).toEqual([]);
  });

  it("decides within the time that a proposal is open", () => {
    expect(
      brokenAt(({ movements }) =>
        movements.every(
          ({ end, askedAt }) => !("at" in end) || (end.at > askedAt && +end.at < +askedAt + DAY_MS),
        ),
      ),
    ).toEqual([]);
  });

  it("hears the last of the bank before it ends, and meets a magic amount only where it means to", () => {
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

  it("asks nothing like the waiting tax transfer in the day before", () => {
    expect(
      brokenAt(({ movements }, now) =>
        movements.every(
          ({ from, to, end, askedAt }) =>
            from !== "Operating" || to !== "Taxes" || end.kind === "WAITING" || +askedAt < +now - DAY_MS,
        ),
      ),
    ).toEqual([]);
  });

  it("pays the card at least twice before, and knows when it is due next", () => {
    expect(
      brokenAt(({ movements, nextCardDueDate }, now) => {
        const paid = movements.filter(({ to, end }) => to === "Summit Visa" && end.kind === "APPROVED");
        const daysAhead = (Date.parse(nextCardDueDate) - now.getTime()) / DAY_MS;
        return paid.length >= 2 && nextCardDueDate.endsWith("-25") && daysAhead > -1 && daysAhead <= 31;
      }),
    ).toEqual([]);
  });

  it("never takes a pod below what is in it, nor Operating below its floor", () => {
    expect(brokenAt((history) => leastAboveFloor(history) >= 0)).toEqual([]);
  });
});

/** How far above its floor (or zero) the account stays that comes closest to it. */
function leastAboveFloor({ steps }: History): number {
  const balances = new Map<AccountName, number>();
  let lowest = Number.POSITIVE_INFINITY;
  const add = (name: AccountName, cents: number) => balances.set(name, (balances.get(name) ?? 0) + cents);
  const take = (name: AccountName, cents: number) => {
    add(name, -cents);
    if (isOutside(name)) return;
    lowest = Math.min(lowest, (balances.get(name) ?? 0) - (ACCOUNTS[name].floorInCents ?? 0));
  };
  for (const step of steps) {
    if (step.kind === "DEPOSIT") add(step.deposit.to, step.deposit.amountInCents);
    const isApproval = step.kind === "DECIDE" && step.note === null;
    const isUnasked = step.kind === "ASK" && step.movement.end.kind === "NOT_ASKED";
    if (!isApproval && !isUnasked) continue;
    const { from, to, amountInCents, end } = step.movement;
    take(from, amountInCents);
    add(end.kind === "APPROVED" && end.isUndone ? from : to, amountInCents);
  }
  return lowest;
}
