import type { SpendingCategory } from "@/lib/contract/transactions";
import type { AccountName, KeyName, MemberName } from "@/lib/core/demo/northwind";
import type { CardName } from "@/lib/core/demo/northwind-cards";
import type { DefineRule, RuleName } from "@/lib/core/demo/northwind-rules";

/** A transfer that a key asks for, and what becomes of it. */
export interface DemoMovement {
  key: KeyName;
  from: AccountName;
  to: AccountName;
  amountInCents: number;
  askedAt: Date;
  label?: string;
  reason: string | null;
  idempotencyKey?: string;
  calledReason?: string;
  end: DemoEnd;
}

export type DemoEnd =
  /** `isUndone`: the bank refuses or returns it (docs/sandbox-bank.md), so in the end nothing has moved. */
  | { kind: "APPROVED"; by: MemberName; at: Date; isUndone?: boolean }
  | { kind: "DENIED"; by: MemberName; at: Date; note: string }
  | { kind: "EXPIRED" }
  /** Of a key that moves money without asking. */
  | { kind: "NOT_ASKED" }
  | { kind: "WAITING" };

export interface DemoDeposit {
  to: AccountName;
  amountInCents: number;
  payerName: string;
  /** A check is there on the next banking day. */
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
  madeAt: Date;
  /** When the payer's bank took it back. */
  returnedAt?: Date;
}

/** A merchant charges a card. What becomes of it is in the cents of the amount (docs/sandbox-cards.md). */
export interface DemoPurchase {
  card: CardName;
  amountInCents: number;
  merchant: string;
  category: SpendingCategory | null;
  madeAt: Date;
  /** `PENDING`: authorized, and settles after the history. */
  end: "SETTLED" | "DECLINED" | "PENDING";
}

/** Money that comes to a card, and is there at once. */
export interface DemoCardCredit {
  card: CardName;
  subtype: "REFUND" | "PAYOUT";
  amountInCents: number;
  merchant: string;
  category: SpendingCategory | null;
  madeAt: Date;
}

/** What a run of a rule moves, as the plan works it out; nothing of it is written by the demo. */
export interface DemoRuleMove {
  rule: RuleName;
  from: AccountName;
  to: AccountName;
  amountInCents: number;
  at: Date;
}

/** A key, which says why it calls, or a member, who writes new rules only. */
export type DemoRuleAuthor = { key: KeyName; reason: string } | { member: MemberName };

/** A run of a rule that a key asks for, and that waits. */
export interface DemoRunAsked {
  key: KeyName;
  rule: RuleName;
  amountInCents: number;
  reason: string;
  idempotencyKey: string;
  askedAt: Date;
}

/** One moment of the history, to be played in order of time. */
export type HistoryStep = { at: Date } & (
  | { kind: "MAKE_KEY"; key: KeyName }
  | { kind: "ISSUE_CARD"; card: CardName }
  | { kind: "FREEZE_CARD"; card: CardName; by: MemberName }
  | { kind: "DEPOSIT"; deposit: DemoDeposit }
  | { kind: "RETURN_DEPOSIT"; deposit: DemoDeposit }
  | { kind: "ASK"; movement: DemoMovement }
  | { kind: "DECIDE"; movement: DemoMovement; by: MemberName; note: string | null }
  | { kind: "EXPIRE" }
  /** The bank settles and returns in the morning of a banking day. */
  | { kind: "BANK_MORNING" }
  | { kind: "PURCHASE"; purchase: DemoPurchase }
  | { kind: "CARD_CREDIT"; credit: DemoCardCredit }
  /** The card network settles in the morning of any day; only of those on which it has something to say. */
  | { kind: "CARD_MORNING" }
  /** The rule's first version, or its next. */
  | { kind: "WRITE_RULE"; rule: RuleName; author: DemoRuleAuthor; define: DefineRule }
  | { kind: "ACTIVATE_RULE"; rule: RuleName; version: number; by: MemberName }
  /** The time of a rule's schedule has come. */
  | { kind: "FIRE_SCHEDULES" }
  | { kind: "ASK_RUN"; run: DemoRunAsked }
);
