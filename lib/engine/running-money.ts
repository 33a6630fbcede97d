import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { PlanCap, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { NeedsUnknown } from "@/lib/engine/unknown-fact";

type Limit = RuleDefinition["limits"][number];

/**
 * What the accounts and limits of one run have left while its actions are worked out in order.
 *
 * What a run sends to an account fills it, and pays what is owed there; it is not money that the same run can send on:
 * the transfer that brings it has yet to be booked, and a bank may refuse it.
 */
export class RunningMoney {
  private readonly taken = new Map<string, number>();
  private readonly given = new Map<string, number>();
  private readonly usedOfLimits = new Map<string, number>();

  constructor(
    private readonly facts: RuleFacts,
    private readonly limits: readonly Limit[],
  ) {}

  /** @throws Error for an account that the facts were not read of: a fault of ours. */
  account(accountId: string): AccountFacts {
    const account = this.facts.accounts[accountId];
    if (!account) throw new Error(`The facts lack the account ${accountId}`);
    return account;
  }

  /** What is left of the account's available money; never below zero. @throws NeedsUnknown */
  left(accountId: string): number {
    const available = this.known(accountId, "AVAILABLE_BALANCE", this.account(accountId).availableInCents);
    return Math.max(0, available - (this.taken.get(accountId) ?? 0));
  }

  /** The part of it that this run may take: a floor binds what no person approves. @throws NeedsUnknown */
  spendable(accountId: string): PlanCap {
    const left = this.left(accountId);
    const floorInCents = this.account(accountId).floorInCents ?? 0;
    if (floorInCents === 0 || this.facts.isApprovedByPerson) return { kind: "AVAILABLE", atInCents: left };
    return { kind: "FLOOR", atInCents: Math.max(0, left - floorInCents), floorInCents };
  }

  /** What it holds once everything that is on its way has arrived. @throws NeedsUnknown */
  filled(accountId: string): number {
    const account = this.account(accountId);
    const balance = this.known(accountId, "BALANCE", account.balanceInCents);
    const moved = (this.given.get(accountId) ?? 0) - (this.taken.get(accountId) ?? 0);
    return balance + account.onItsWayInCents + moved;
  }

  /** What is still to be paid of a debt; never below zero. @throws NeedsUnknown */
  owed(accountId: string): number {
    const account = this.account(accountId);
    const balance = this.known(accountId, "BALANCE", account.balanceInCents);
    return Math.max(0, balance - account.onItsWayInCents - (this.given.get(accountId) ?? 0));
  }

  /** @throws NeedsUnknown */
  known(accountId: string, fact: UnknownFact["fact"], value: number | null): number {
    if (value === null) throw new NeedsUnknown({ fact, accountId });
    return value;
  }

  /** What the action's limit leaves, or null where it has none. */
  limitCap(limitId: string | null): PlanCap | null {
    const limit = limitId === null ? undefined : this.limits.find((candidate) => candidate.id === limitId);
    if (!limit) return null;
    const used =
      limit.period === "TRANSFER"
        ? 0
        : (this.facts.limitsUsedInCents[limit.id] ?? 0) + (this.usedOfLimits.get(limit.id) ?? 0);
    return { kind: "LIMIT", atInCents: Math.max(0, limit.amountInCents - used), limitId: limit.id };
  }

  move(source: string, destination: string, amountInCents: number, limitId: string | null): void {
    add(this.taken, source, amountInCents);
    add(this.given, destination, amountInCents);
    if (limitId !== null) add(this.usedOfLimits, limitId, amountInCents);
  }
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
