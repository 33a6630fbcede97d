import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { PlanCap, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { accountOf, NeedsUnknown } from "@/lib/engine/run-facts";

type Limit = RuleDefinition["limits"][number];

/**
 * The remaining money of the accounts and limits of one run while its actions are evaluated in order.
 *
 * Money that a run sends to an account fills it or pays its debt, but the same run cannot send it on: the transfer is not
 * booked yet, and a bank may refuse it.
 */
export class RunningMoney {
  private readonly taken = new Map<string, number>();
  private readonly given = new Map<string, number>();
  private readonly usedOfLimits = new Map<string, number>();
  private sentOut = 0;

  constructor(
    private readonly facts: RuleFacts,
    private readonly limits: readonly Limit[],
  ) {}

  /** @throws Error for an account missing from the facts: an internal error. */
  account(accountId: string): AccountFacts {
    return accountOf(this.facts, accountId);
  }

  /** Whether the account's balance is a debt. */
  isDebt(accountId: string): boolean {
    return this.account(accountId).externalAccountType === "LIABILITY";
  }

  /** The remaining available money of the account, never below zero. @throws NeedsUnknown */
  left(accountId: string): number {
    const available = this.known(accountId, "AVAILABLE_BALANCE", this.account(accountId).availableInCents);
    return Math.max(0, available - (this.taken.get(accountId) ?? 0));
  }

  /** The part that this run may take: floors apply without approval. @throws NeedsUnknown */
  spendable(accountId: string): PlanCap {
    const left = this.left(accountId);
    const floorInCents = this.account(accountId).floorInCents ?? 0;
    if (floorInCents === 0 || this.facts.isApprovedByPerson) return { kind: "AVAILABLE", atInCents: left };
    return { kind: "FLOOR", atInCents: Math.max(0, left - floorInCents), floorInCents };
  }

  /** The balance once everything on its way has arrived. @throws NeedsUnknown */
  filled(accountId: string): number {
    const balance = this.known(accountId, "BALANCE", this.account(accountId).balanceInCents);
    return balance + this.onItsWayTo(accountId) - (this.taken.get(accountId) ?? 0);
  }

  /** The remaining amount owed, never below zero; zero for other accounts. @throws NeedsUnknown */
  owed(accountId: string): number {
    if (!this.isDebt(accountId)) return 0;
    const balance = this.known(accountId, "BALANCE", this.account(accountId).balanceInCents);
    return Math.max(0, balance - this.onItsWayTo(accountId));
  }

  /** The amount sent there, by this run or earlier, that is not in its balance yet. */
  onItsWayTo(accountId: string): number {
    return this.account(accountId).onItsWayInCents + (this.given.get(accountId) ?? 0);
  }

  /**
   * The amount paid of a debt's statement or minimum, by this run or earlier. The provider's figure stays the same until its
   * next statement or due date, so without this a rule would pay it again with every run.
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
   * The remaining amount of the action's limit, or null without one.
   * @throws Error if the limit or its usage is missing: ignoring it would allow any amount.
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
    // Own properties only: a limit may be named “constructor”, which every object inherits.
    const before = Object.hasOwn(limitsUsedInCents, limitId) ? limitsUsedInCents[limitId] : undefined;
    if (before === undefined) throw new Error(`The facts lack the usage of the limit ${limitId}`);
    return before + (this.usedOfLimits.get(limitId) ?? 0);
  }

  /** Whether the organization may still send this much to that account now. */
  mayLeave(destinationAccountId: string, amountInCents: number): boolean {
    const { outgoingRoomInCents: room } = this.facts;
    if (room === undefined || this.account(destinationAccountId).type !== "EXTERNAL_ACCOUNT") return true;
    return this.sentOut + amountInCents <= room;
  }

  move(source: string, destination: string, amountInCents: number, limitId: string | null): void {
    if (this.account(destination).type === "EXTERNAL_ACCOUNT") this.sentOut += amountInCents;
    add(this.taken, source, amountInCents);
    add(this.given, destination, amountInCents);
    if (limitId !== null) add(this.usedOfLimits, limitId, amountInCents);
  }
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
