import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { PlanCap, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { accountOf, NeedsUnknown } from "@/lib/engine/run-facts";

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
    return accountOf(this.facts, accountId);
  }

  /** Whether the account's balance is what is owed there. */
  isDebt(accountId: string): boolean {
    return this.account(accountId).externalAccountType === "LIABILITY";
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
    const balance = this.known(accountId, "BALANCE", this.account(accountId).balanceInCents);
    return balance + this.onItsWayTo(accountId) - (this.taken.get(accountId) ?? 0);
  }

  /** What is still to be paid of a debt, never below zero; other accounts owe nothing. @throws NeedsUnknown */
  owed(accountId: string): number {
    if (!this.isDebt(accountId)) return 0;
    const balance = this.known(accountId, "BALANCE", this.account(accountId).balanceInCents);
    return Math.max(0, balance - this.onItsWayTo(accountId));
  }

  /** What was sent there, by this run or before it, and is not in its balance yet. */
  onItsWayTo(accountId: string): number {
    return this.account(accountId).onItsWayInCents + (this.given.get(accountId) ?? 0);
  }

  /**
   * What was paid of a debt's statement or minimum, by this run or before it. The provider's figure stays the same until
   * its next statement or due date, so without this a rule pays it anew with every run.
   */
  paidOf(accountId: string, due: "STATEMENT" | "MINIMUM"): number {
    const { paid, onItsWayInCents } = this.account(accountId);
    const before = due === "STATEMENT" ? paid?.ofStatementInCents : paid?.ofMinimumInCents;
    return (before ?? onItsWayInCents) + (this.given.get(accountId) ?? 0);
  }

  /** @throws NeedsUnknown */
  minimumOf(accountId: string): number {
    const { nextPaymentMinimumInCents } = this.account(accountId);
    return this.known(accountId, "NEXT_PAYMENT_MINIMUM", nextPaymentMinimumInCents);
  }

  /** @throws NeedsUnknown */
  statementOf(accountId: string): number {
    const { lastStatementBalanceInCents } = this.account(accountId);
    return this.known(accountId, "LAST_STATEMENT_BALANCE", lastStatementBalanceInCents);
  }

  private known(accountId: string, fact: UnknownFact["fact"], value: number | null): number {
    if (value === null) throw new NeedsUnknown({ fact, accountId });
    return value;
  }

  /**
   * What the action's limit leaves, or null where it names none.
   * @throws Error when the rule lacks the limit, or the facts what it has used: passing over it would let everything through.
   */
  limitCap(limitId: string | null): PlanCap | null {
    if (limitId === null) return null;
    const limit = this.limits.find((candidate) => candidate.id === limitId);
    if (!limit) throw new Error(`The rule lacks the limit ${limitId}`);
    const usedInCents = limit.period === "TRANSFER" ? 0 : this.usedOf(limitId);
    return { kind: "LIMIT", atInCents: Math.max(0, limit.amountInCents - usedInCents), limitId };
  }

  private usedOf(limitId: string): number {
    const { limitsUsedInCents } = this.facts;
    // Asked for its own: a limit may be called «constructor», which every object has something of.
    const before = Object.hasOwn(limitsUsedInCents, limitId) ? limitsUsedInCents[limitId] : undefined;
    if (before === undefined) throw new Error(`The facts lack what the limit ${limitId} has used`);
    return before + (this.usedOfLimits.get(limitId) ?? 0);
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
