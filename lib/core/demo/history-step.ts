import type { AccountName, KeyName, MemberName } from "@/lib/core/demo/northwind";

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
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
  /** The bank's own, once per deposit. */
  reference: string;
  arrivedAt: Date;
}

/** One moment of the history, to be played in order of time. */
export type HistoryStep = { at: Date } & (
  | { kind: "DEPOSIT"; deposit: DemoDeposit }
  | { kind: "ASK"; movement: DemoMovement }
  | { kind: "DECIDE"; movement: DemoMovement; by: MemberName; note: string | null }
  | { kind: "EXPIRE" }
  /** The bank settles and returns in the morning of a banking day. */
  | { kind: "BANK_MORNING" }
);
