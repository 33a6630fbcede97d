import type { SpendingCategory } from "@/lib/contract/transactions";
import type { AccountName, ASSISTANT, KeyName, MemberName, PayeeName } from "@/lib/core/demo/northwind";
import type { CardName } from "@/lib/core/demo/northwind-cards";
import type { DefineRule, RuleName } from "@/lib/core/demo/northwind-rules";

/** A transfer requested with a key, and its outcome. */
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
  /** `isUndone`: the bank rejects or returns it (docs/sandbox-bank.md), so in the end nothing has moved. */
  | { kind: "APPROVED"; by: MemberName; at: Date; isUndone?: boolean }
  | { kind: "DENIED"; by: MemberName; at: Date; note: string }
  | { kind: "EXPIRED" }
  /** Requested with a key that moves money without approval. */
  | { kind: "NOT_ASKED" }
  | { kind: "WAITING" };

export interface DemoDeposit {
  to: AccountName;
  amountInCents: number;
  payerName: string;
  /** A check clears on the next banking day. */
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
  madeAt: Date;
  /** When the payer's bank returned it. */
  returnedAt?: Date;
}

/** A card purchase. The cents of the amount determine its outcome (docs/sandbox-cards.md). */
export interface DemoPurchase {
  card: CardName;
  amountInCents: number;
  merchant: string;
  category: SpendingCategory | null;
  madeAt: Date;
  /** `PENDING`: authorized, and settles after the history. */
  end: "SETTLED" | "DECLINED" | "PENDING";
}

/** A credit to a card, available at once. */
export interface DemoCardCredit {
  card: CardName;
  subtype: "REFUND" | "PAYOUT";
  amountInCents: number;
  merchant: string;
  category: SpendingCategory | null;
  madeAt: Date;
}

/** What a rule's run moves according to the plan; the demo does not write it. */
export interface DemoRuleMove {
  rule: RuleName;
  from: AccountName;
  to: AccountName;
  amountInCents: number;
  at: Date;
}

/** A key with its reason, or a member, who only writes new rules. */
export type DemoRuleAuthor = { key: KeyName; reason: string } | { member: MemberName };

/** A rule run requested with a key, waiting for approval. */
export interface DemoRunAsked {
  key: KeyName;
  rule: RuleName;
  amountInCents: number;
  reason: string;
  idempotencyKey: string;
  askedAt: Date;
}

/** A transfer that waits for approval, and is not part of the money that moved. */
export interface DemoQueued {
  by: KeyName | typeof ASSISTANT.name;
  from: AccountName;
  to: AccountName | PayeeName;
  amountInCents: number;
  reason: string;
  askedAt: Date;
  /** The number of the invoice that is attached. */
  invoice?: string;
}

/** Transfers that a member proposed together. */
export interface DemoBatch {
  by: MemberName;
  reason: string;
  lines: readonly { from: AccountName; to: PayeeName; amountInCents: number }[];
}

/** One moment of the history; steps are played in order of time. */
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
  /** The card network settles every morning; only mornings with something to settle are listed. */
  | { kind: "CARD_MORNING" }
  /** The rule's first or next version. */
  | { kind: "WRITE_RULE"; rule: RuleName; author: DemoRuleAuthor; define: DefineRule }
  | { kind: "ACTIVATE_RULE"; rule: RuleName; version: number; by: MemberName }
  /** A rule's scheduled time. */
  | { kind: "FIRE_SCHEDULES" }
  | { kind: "ASK_RUN"; run: DemoRunAsked }
  | { kind: "ADD_PAYEE"; payee: PayeeName }
  | { kind: "CONNECT_ASSISTANT" }
  | { kind: "ASK_QUEUED"; asked: DemoQueued }
  | { kind: "ASK_BATCH"; batch: DemoBatch }
);
