import type { AccountKind } from "@/lib/contract/account";
import type { ApprovalAccountView, ApprovalStatus, BalanceRowView } from "@/lib/contract/approvals/approval";
import { movementHref } from "@/lib/contract/search/movement-search";
import type { TransferApprovalFacts } from "@/lib/core/approvals/approval-facts";
import type { PartyFacts } from "@/lib/core/approvals/transfer-subject";
import { type Forecast, movesOf } from "@/lib/engine/forecast/forecast-arrivals";
import type { ForecastMove } from "@/lib/engine/forecast/money-after";

/** The transfer itself on an approval screen. Pure. */
export function describeTransfer(
  facts: TransferApprovalFacts,
  status: ApprovalStatus,
  forecast: Forecast | null,
) {
  // Until it is booked the page shows what it would change; afterwards balances include it.
  const isAhead = status === "WAITING" || status === "ON_ITS_WAY";
  const moves = isAhead ? transferMoves(facts) : [];
  const change = isAhead ? facts.amountInCents : 0;
  const { source, destination } = facts;
  const follows = followsOf(forecast);
  return {
    kind: "TRANSFER" as const,
    amountInCents: facts.amountInCents,
    /** What was proposed, where a member approves less or considers to; null: `amountInCents`. */
    requestedAmountInCents: facts.requestedAmountInCents,
    /** The settled transfer of the same amount that it moves back; null for any other. */
    reverses: facts.reverses && {
      href: movementHref("TRANSFERS", facts.reverses.id),
      settledAt: facts.reverses.settledAt.toISOString(),
    },
    /** Text on the statement, when the transfer goes over ACH. */
    achLabel: facts.description,
    source: describeParty(source, -change),
    destination: describeParty(destination, change),
    ...describeBalances(
      [source, destination, ...partiesBehind(forecast, [source, destination])],
      moves,
      follows,
    ),
    /** Names of the accounts that the request mentions by id. */
    accountNames: { [source.id]: source.name, [destination.id]: destination.name },
    settlesOver: facts.direction === "INTERNAL" ? ("BOOKS" as const) : ("ACH" as const),
    /** Banking day on which an ACH transfer should settle, `YYYY-MM-DD`. */
    expectedOn: facts.expectedCompletionDate,
    /** When it settled, failed, was returned or canceled. */
    endedAt: facts.completedAt?.toISOString() ?? null,
    /** Why it failed or was returned: the API's code and one sentence that says whether money moved. */
    error:
      facts.errorCode === null
        ? null
        : { code: facts.errorCode, sentence: facts.errorMessage ?? facts.errorCode },
  };
}

export function transferMoves({ source, destination, amountInCents }: TransferApprovalFacts): ForecastMove[] {
  return [{ sourceAccountId: source.id, destinationAccountId: destination.id, amountInCents }];
}

export function followsOf(forecast: Forecast | null): ForecastMove[] {
  return (forecast?.runs ?? []).flatMap((run) =>
    run.outcome.kind === "RUNS" ? movesOf(run.outcome.plan) : [],
  );
}

/** The accounts that only the rules of a forecast touch, with their present balances. */
export function partiesBehind(forecast: Forecast | null, parties: readonly PartyFacts[]): PartyFacts[] {
  const known = new Set(parties.map((party) => party.id));
  return accountsTouched(followsOf(forecast)).flatMap((id) => {
    const facts = forecast?.before[id];
    return facts && !known.has(id) ? [{ id, ...facts }] : [];
  });
}

/** One account of a proposal, with its balance after this change. */
export function describeParty(party: PartyFacts, changeInCents: number): ApprovalAccountView {
  const isOwed = party.externalAccountType === "LIABILITY";
  return {
    id: party.id,
    name: party.name,
    kind: accountKind(party),
    isOutside: party.type === "EXTERNAL_ACCOUNT",
    nowInCents: party.balanceInCents,
    // Paying toward a debt reduces it.
    afterInCents:
      party.balanceInCents === null ? null : party.balanceInCents + (isOwed ? -changeInCents : changeInCents),
    floorInCents: party.floorInCents,
  };
}

export function accountKind(party: Pick<PartyFacts, "type" | "externalAccountType">): AccountKind {
  return party.externalAccountType === "LIABILITY" ? "LIABILITY" : party.type;
}

/**
 * Balances of these accounts before and after.
 * @param moves the proposed ones
 * @param follows moves of rules that would run afterwards
 */
export function describeBalances(
  parties: readonly PartyFacts[],
  moves: readonly ForecastMove[],
  follows: readonly ForecastMove[],
) {
  const changes = changesOf(moves);
  const later = changesOf(follows);
  const balances = parties.map((party) =>
    balanceRow(party, changes.get(party.id) ?? 0, later.get(party.id) ?? 0),
  );
  return {
    balances,
    /** Null if one of the balances is unknown. */
    together: together(balances),
  };
}

/** The accounts that moves touch, each once: all sources, then destinations. */
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
  // A debt counts as negative, so that the row "Together" shows that no money appears or vanishes.
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

function together(rows: readonly BalanceRowView[]) {
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
