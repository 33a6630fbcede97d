import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { PlannedMove, RulePlan, SkipReason } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { isManaged, type Occasion, type RuleHistory } from "@/lib/engine/backtest/occasions";
import { evaluate } from "@/lib/engine/evaluate";
import { periodStart } from "@/lib/engine/limits";
import { withBase } from "@/lib/engine/run-facts";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";

/** The usage of limits over time; each starts again with its period. */
class LimitUsage {
  private readonly periods = new Map<string, { start: string | null; usedInCents: number }>();

  /** @param usedBefore cents by limit id, in the period that contains `date` */
  constructor(
    private readonly limits: readonly Limit[],
    date: string,
    usedBefore: Readonly<Record<string, number>>,
  ) {
    for (const limit of limits) {
      const start = periodStart(limit.period, date);
      this.periods.set(limit.id, { start, usedInCents: start === null ? 0 : (usedBefore[limit.id] ?? 0) });
    }
  }

  /** Cents by limit id in the period that contains a date. Dates never decrease. */
  usedOn(date: string): Record<string, number> {
    const used: Record<string, number> = {};
    for (const { id, period } of this.limits) {
      const start = periodStart(period, date);
      const known = this.periods.get(id);
      if (known?.start !== start) this.periods.set(id, { start, usedInCents: 0 });
      used[id] = this.periods.get(id)?.usedInCents ?? 0;
    }
    return used;
  }

  use(limitId: string, amountInCents: number): void {
    const known = this.periods.get(limitId);
    // A limit per transfer has no period.
    if (known && known.start !== null) known.usedInCents += amountInCents;
  }
}

interface SimulatedMove {
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
}

export interface SimulatedRun {
  kind: Occasion["kind"];
  at: string;
  /** The calendar date of the moment in the history's time zone. */
  date: string;
  /** BROKE_OFF: a transfer lacked its amount, which ends a run; earlier transfers moved. */
  outcome: "RAN" | "CONDITIONS_NOT_MET" | "BROKE_OFF" | "UNKNOWN";
  moves: SimulatedMove[];
  /** The reasons of skipped transfers, one entry each. */
  skipped: SkipReason[];
}

export interface Simulation {
  /** One per occasion, in order. */
  runs: SimulatedRun[];
  /** The lowest balance of the trigger's account, and since when; null if the books have no balances. */
  lowest: { at: string; balanceInCents: number } | null;
  /** Final balances of managed accounts, cents by id. */
  balancesInCents: Record<string, number>;
}

type SimulatedVersion = Pick<RuleDefinition, "trigger" | "steps" | "limits">;

/**
 * What a version would have moved, run at each occasion on the balances that other movements and its own earlier transfers
 * would have left. Its transfers arrive immediately. Outside accounts and debts always have today's values. Pure.
 * @param occasions of this version, in order
 * @throws Error if the history lacks an account that the version names: an internal error.
 */
export function simulate(
  version: SimulatedVersion,
  history: RuleHistory,
  occasions: readonly Occasion[],
): Simulation {
  const money = new SimulatedMoney(history, version.trigger.accountId);
  const limits = new LimitUsage(
    version.limits,
    calendarDate(new Date(history.from), history.timeZone),
    history.limitsUsedInCents,
  );
  const runs: SimulatedRun[] = [];
  for (const occasion of occasions) {
    money.goOn(occasion.eventsBefore);
    runs.push(runOnce(version, history.timeZone, occasion, money, limits));
  }
  money.goOn(history.events.length);
  return { runs, lowest: money.lowest, balancesInCents: money.balances() };
}

function runOnce(
  version: SimulatedVersion,
  timeZone: string,
  { kind, at, incomingAmountInCents }: Occasion,
  money: SimulatedMoney,
  limits: LimitUsage,
): SimulatedRun {
  const date = calendarDate(new Date(at), timeZone);
  const facts = {
    at,
    date,
    incomingAmountInCents: null,
    isApprovedByPerson: false,
    accounts: money.accountsOn(date),
    limitsUsedInCents: limits.usedOn(date),
  };
  const base = { mode: "LIVE", incomingAmountInCents } as const;
  const evaluation = evaluate(version, withBase(facts, version.trigger.accountId, base));
  if (evaluation.kind === "UNKNOWN") return { kind, at, date, outcome: "UNKNOWN", moves: [], skipped: [] };
  const { plan } = evaluation;
  const moves = plan.moves.filter((move) => move.outcome === "MOVE");
  const actions = version.steps[plan.stepIndexMatched ?? 0]?.actions;
  for (const move of moves) {
    money.move(move, at, date);
    const limitId = actions?.[move.actionIndex]?.limitId ?? null;
    if (limitId !== null) limits.use(limitId, move.amountInCents);
  }
  return {
    kind,
    at,
    date,
    outcome: outcomeOf(plan),
    moves: moves.map(({ sourceAccountId, destinationAccountId, amountInCents }) => ({
      sourceAccountId,
      destinationAccountId,
      amountInCents,
    })),
    skipped: plan.moves.flatMap((move) => skipReason(move) ?? []),
  };
}

function outcomeOf(plan: RulePlan): SimulatedRun["outcome"] {
  if (plan.stepIndexMatched === null) return "CONDITIONS_NOT_MET";
  return plan.moves.some((move) => move.outcome === "FAILED") ? "BROKE_OFF" : "RAN";
}

/** The accounts during the simulation. */
class SimulatedMoney {
  /** Mutable copies that change during the simulation; valid only for the current moment. */
  private readonly accounts: Record<string, AccountFacts>;
  lowest: Simulation["lowest"] = null;
  private happened = 0;
  /** The version's payments to debts, in order. */
  private readonly payments = new Map<string, { date: string; amountInCents: number }[]>();

  constructor(
    private readonly history: RuleHistory,
    private readonly watchedAccountId: string,
  ) {
    this.accounts = Object.fromEntries(
      Object.entries(history.accounts).map(([id, account]) => [id, { ...account }]),
    );
    for (const [id, payment] of Object.entries(history.paidBefore ?? {})) this.payments.set(id, [payment]);
    this.watch(watchedAccountId, history.from);
  }

  /** Applies all events before this index. */
  goOn(eventsBefore: number): void {
    const { events } = this.history;
    for (; this.happened < eventsBefore; this.happened++) {
      const event = events[this.happened];
      if (event) this.change(event.accountId, event.changeInCents, event.at);
    }
  }

  /**
   * The accounts on a day. A debt has its provider's figures of today, but the version's payments to a statement or minimum
   * count within its month, or a daily rule would seem to pay it every day.
   */
  accountsOn(date: string): Record<string, AccountFacts> {
    const accounts = { ...this.accounts };
    for (const [id, account] of Object.entries(accounts)) {
      const { paid } = account;
      if (!paid) continue;
      const since = (day: string | null) => this.paidSince(id, startOfMonthOf(day ?? date, date));
      accounts[id] = {
        ...account,
        paid: {
          ...paid,
          ofStatementInCents: since(paid.lastStatementDate),
          ofMinimumInCents: since(paid.nextPaymentDueDate),
        },
      };
    }
    return accounts;
  }

  private paidSince(accountId: string, start: string): number {
    const payments = this.payments.get(accountId) ?? [];
    return payments.reduce((sum, { date, amountInCents }) => (date >= start ? sum + amountInCents : sum), 0);
  }

  move(
    { sourceAccountId, destinationAccountId, amountInCents }: SimulatedMove,
    at: string,
    date: string,
  ): void {
    this.change(sourceAccountId, -amountInCents, at);
    this.change(destinationAccountId, amountInCents, at);
    if (!this.accounts[destinationAccountId]?.paid) return;
    const payments = this.payments.get(destinationAccountId) ?? [];
    payments.push({ date, amountInCents });
    this.payments.set(destinationAccountId, payments);
  }

  balances(): Record<string, number> {
    const known = Object.entries(this.accounts).flatMap(([id, account]) =>
      isManaged(account) && account.balanceInCents !== null ? [[id, account.balanceInCents] as const] : [],
    );
    return Object.fromEntries(known);
  }

  private change(accountId: string, changeInCents: number, at: string): void {
    const account = this.accounts[accountId];
    if (!account || !isManaged(account)) return;
    account.balanceInCents = (account.balanceInCents ?? 0) + changeInCents;
    account.availableInCents = account.balanceInCents;
    this.watch(accountId, at);
  }

  private watch(accountId: string, at: string): void {
    const account = this.accounts[accountId];
    if (accountId !== this.watchedAccountId || !account || !isManaged(account)) return;
    const balanceInCents = account.balanceInCents ?? 0;
    if (this.lowest === null || balanceInCents < this.lowest.balanceInCents) {
      this.lowest = { at, balanceInCents };
    }
  }
}

/** The latest date up to `date` with the same day of the month as `day`, or that month's last day. */
function startOfMonthOf(day: string, date: string): string {
  const [year = 0, month = 0] = date.split("-").map(Number);
  const wanted = Number(day.slice(8, 10));
  const inMonth = (monthIndex: number) => {
    const last = new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate();
    return new Date(Date.UTC(year, monthIndex, Math.min(wanted, last))).toISOString().slice(0, 10);
  };
  const thisMonth = inMonth(month - 1);
  return thisMonth <= date ? thisMonth : inMonth(month - 2);
}

type Limit = RuleDefinition["limits"][number];

/** Why a planned transfer was skipped; null if it was not. */
export function skipReason(
  move: Pick<PlannedMove, "outcome" | "type" | "wantedInCents" | "caps">,
): SkipReason | null {
  if (move.outcome !== "SKIPPED") return null;
  if (move.wantedInCents >= MINIMUM_TRANSFER_IN_CENTS) {
    const cap = move.caps.find(({ atInCents }) => atInCents < MINIMUM_TRANSFER_IN_CENTS);
    if (cap?.kind === "LIMIT") return "LIMIT_USED_UP";
    return cap?.kind === "OWED" ? "NOTHING_DUE" : "NOTHING_THERE";
  }
  if (move.wantedInCents > 0) return "TOO_SMALL";
  switch (move.type) {
    case "TOP_UP":
      return "FULL";
    case "NEXT_PAYMENT_MINIMUM":
    case "LAST_STATEMENT_BALANCE":
    case "TOTAL_AMOUNT_DUE":
    case "PERCENTAGE_OF_LIABILITY":
      return "NOTHING_DUE";
    case "REMAINDER":
    case "ROUND_DOWN":
      return "NOTHING_THERE";
    default:
      return "NOTHING_ASKED";
  }
}
