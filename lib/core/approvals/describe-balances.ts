import type { AccountKind } from "@/lib/contract/views/account-ref-view";
import type { ApprovalAccountView, ApprovalView, BalanceRowView } from "@/lib/contract/views/approval-view";
import type { PartyFacts } from "@/lib/core/approvals/transfer-subject";
import type { ForecastMove } from "@/lib/engine/forecast/money-after";

/** One account of a proposal, with what it would hold after this change. */
export function describeParty(party: PartyFacts, changeInCents: number): ApprovalAccountView {
  const isOwed = party.externalAccountType === "LIABILITY";
  return {
    id: party.id,
    name: party.name,
    kind: accountKind(party),
    isOutside: party.type === "EXTERNAL_ACCOUNT",
    nowInCents: party.balanceInCents,
    // What is paid towards a debt makes it smaller.
    afterInCents:
      party.balanceInCents === null ? null : party.balanceInCents + (isOwed ? -changeInCents : changeInCents),
    floorInCents: party.floorInCents,
  };
}

export function accountKind(party: Pick<PartyFacts, "type" | "externalAccountType">): AccountKind {
  return party.externalAccountType === "LIABILITY" ? "LIABILITY" : party.type;
}

/**
 * Balances before and after: of these accounts, and behind them of those that only what follows touches.
 * @param moves what is proposed
 * @param follows what rules would move after it
 */
export function describeBalances(
  parties: readonly PartyFacts[],
  moves: readonly ForecastMove[],
  follows: readonly ForecastMove[],
): Pick<ApprovalView, "balances" | "together"> {
  const changes = changesOf(moves);
  const later = changesOf(follows);
  const balances = parties.map((party) =>
    balanceRow(party, changes.get(party.id) ?? 0, later.get(party.id) ?? 0),
  );
  return { balances, together: together(balances) };
}

/** The accounts that moves touch, in the order in which they do, each once: what they take from first. */
export function accountsTouched(moves: readonly ForecastMove[]): string[] {
  return [
    ...new Set([
      ...moves.map((move) => move.sourceAccountId),
      ...moves.map((move) => move.destinationAccountId),
    ]),
  ];
}

function changesOf(moves: readonly ForecastMove[]): Map<string, number> {
  const changes = new Map<string, number>();
  const add = (id: string, cents: number) => changes.set(id, (changes.get(id) ?? 0) + cents);
  for (const move of moves) {
    add(move.sourceAccountId, -move.amountInCents);
    add(move.destinationAccountId, move.amountInCents);
  }
  return changes;
}

function balanceRow(party: PartyFacts, changeInCents: number, followsInCents: number): BalanceRowView {
  const isOwed = party.externalAccountType === "LIABILITY";
  // A debt counts against what one has, so that the row *Together* shows that nothing appeared or vanished.
  const nowInCents = party.balanceInCents === null ? null : party.balanceInCents * (isOwed ? -1 : 1);
  return {
    accountId: party.id,
    name: party.name,
    kind: accountKind(party),
    isOutside: party.type === "EXTERNAL_ACCOUNT",
    nowInCents,
    changeInCents,
    followsInCents,
    afterInCents: nowInCents === null ? null : nowInCents + changeInCents + followsInCents,
  };
}

function together(rows: readonly BalanceRowView[]): ApprovalView["together"] {
  const sum = { nowInCents: 0, changeInCents: 0, followsInCents: 0, afterInCents: 0 };
  for (const row of rows) {
    if (row.nowInCents === null || row.afterInCents === null) return null;
    sum.nowInCents += row.nowInCents;
    sum.changeInCents += row.changeInCents;
    sum.followsInCents += row.followsInCents;
    sum.afterInCents += row.afterInCents;
  }
  return sum;
}
