import { APPROVAL_EXPIRY_MS } from "@/lib/contract/limits";
import type { Draft } from "@/lib/core/demo/draft";
import type { DemoDeposit, DemoMovement, HistoryStep } from "@/lib/core/demo/history-step";
import { noticesOf } from "@/lib/core/demo/opening-deposits";

const SECOND_MS = 1_000;

/** The steps of what was drafted, in no order. */
export function toSteps({ movements, deposits, purchases, cardCredits, ruleSteps }: Draft): HistoryStep[] {
  const mornings = new Set(purchases.flatMap(noticesOf).map(({ dueAt }) => dueAt.getTime()));
  return [
    ...deposits.flatMap(depositSteps),
    ...movements.flatMap(movementSteps),
    ...purchases.map((purchase) => ({ kind: "PURCHASE" as const, at: purchase.madeAt, purchase })),
    ...ruleSteps,
    ...cardCredits.map((credit) => ({ kind: "CARD_CREDIT" as const, at: credit.madeAt, credit })),
    ...[...mornings].map((dueAt) => ({ kind: "CARD_MORNING" as const, at: new Date(dueAt) })),
  ];
}

export function depositSteps(deposit: DemoDeposit): HistoryStep[] {
  const made = { kind: "DEPOSIT" as const, at: deposit.madeAt, deposit };
  if (!deposit.returnedAt) return [made];
  return [made, { kind: "RETURN_DEPOSIT", at: deposit.returnedAt, deposit }];
}

function movementSteps(movement: DemoMovement): HistoryStep[] {
  const { askedAt, end } = movement;
  const ask = { kind: "ASK" as const, at: askedAt, movement };
  if (end.kind === "EXPIRED") {
    return [ask, { kind: "EXPIRE", at: new Date(askedAt.getTime() + APPROVAL_EXPIRY_MS + SECOND_MS) }];
  }
  if (end.kind !== "APPROVED" && end.kind !== "DENIED") return [ask];
  const note = end.kind === "DENIED" ? end.note : null;
  return [ask, { kind: "DECIDE", at: end.at, movement, by: end.by, note }];
}
