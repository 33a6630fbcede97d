import type { ApprovalStatus, TransferApprovalView } from "@/lib/contract/views/approval-view";
import type { TransferApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { accountsTouched, describeBalances, describeParty } from "@/lib/core/approvals/describe-balances";
import type { PartyFacts } from "@/lib/core/approvals/transfer-subject";
import { type Forecast, movesOf } from "@/lib/engine/forecast/forecast-arrivals";
import type { ForecastMove } from "@/lib/engine/forecast/money-after";

/** What an approval screen shows of a proposed transfer itself. Pure. */
export function describeTransfer(
  facts: TransferApprovalFacts,
  status: ApprovalStatus,
  forecast: Forecast | null,
) {
  // While it waits or is on its way the page says what it would change; once booked, balances contain it already.
  const isAhead = status === "WAITING" || status === "ON_ITS_WAY";
  const moves = isAhead ? transferMoves(facts) : [];
  const change = isAhead ? facts.amountInCents : 0;
  const { source, destination } = facts;
  const follows = followsOf(forecast);
  return {
    kind: "TRANSFER" as const,
    amountInCents: facts.amountInCents,
    achLabel: facts.description,
    source: describeParty(source, -change),
    destination: describeParty(destination, change),
    ...describeBalances(
      [source, destination, ...partiesBehind(forecast, [source, destination])],
      moves,
      follows,
    ),
    accountNames: { [source.id]: source.name, [destination.id]: destination.name },
    settlesOver: facts.direction === "INTERNAL" ? ("BOOKS" as const) : ("ACH" as const),
    expectedOn: facts.expectedCompletionDate,
    endedAt: facts.completedAt?.toISOString() ?? null,
    error:
      facts.errorCode === null
        ? null
        : { code: facts.errorCode, sentence: facts.errorMessage ?? facts.errorCode },
  } satisfies Partial<TransferApprovalView>;
}

/** What approving it would move. */
export function transferMoves({ source, destination, amountInCents }: TransferApprovalFacts): ForecastMove[] {
  return [{ sourceAccountId: source.id, destinationAccountId: destination.id, amountInCents }];
}

/** Everything that the rules of a forecast would move. */
export function followsOf(forecast: Forecast | null): ForecastMove[] {
  return (forecast?.runs ?? []).flatMap((run) =>
    run.outcome.kind === "RUNS" ? movesOf(run.outcome.plan) : [],
  );
}

/** The accounts that only the rules of a forecast touch, as they are now. */
export function partiesBehind(forecast: Forecast | null, parties: readonly PartyFacts[]): PartyFacts[] {
  const known = new Set(parties.map((party) => party.id));
  return accountsTouched(followsOf(forecast)).flatMap((id) => {
    const facts = forecast?.before[id];
    return facts && !known.has(id) ? [{ id, ...facts }] : [];
  });
}
