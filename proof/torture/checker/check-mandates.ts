import { eventsOf, groupBy, type HistoryEvent, type Violation } from "@/proof/torture/checker/history";
import type { Database, MandateRow, TransferRow } from "@/proof/torture/checker/read-database";

const WITHIN = "a mandate moves no more than it says";
const IN_FORCE = "no transfer names a mandate that was not in force";

/** On their way, complete or returned; what failed or was canceled moved nothing. */
const COUNTED = ["PROCESSING", "COMPLETE", "RETURNED"];

/**
 * Every transfer that names a mandate is inside of it, all of one mandate together too, and was sent neither so that it was
 * answered before anyone signed it, nor after a member had ended it.
 */
export function checkMandates(
  history: readonly HistoryEvent[],
  { transfers, mandates }: Pick<Database, "transfers" | "mandates">,
): Violation[] {
  const under = transfers.filter(({ mandateId }) => mandateId !== null);
  if (under.length === 0) return [{ promise: "every actor acts", what: "no transfer used a mandate" }];
  const known = new Map(mandates.map((mandate) => [mandate.id, mandate]));
  const moments = readMoments(history);
  const used = groupBy(under, ({ mandateId }) => mandateId ?? "");
  return [
    ...under.flatMap((transfer) => checkOne(transfer, known.get(transfer.mandateId ?? ""), moments)),
    ...[...used].flatMap(([id, all]) => checkTogether(known.get(id), all)),
  ];
}

function checkOne(
  { id, organizationId, mode, byId, sourceId, destinationId, amountInCents, mark, mandateId }: TransferRow,
  mandate: MandateRow | undefined,
  { sent, answered, signed, ended }: Moments,
): Violation[] {
  const problems: Violation[] = [];
  const find = (promise: string, what: string) =>
    problems.push({ promise, what: `transfer ${id} names mandate ${mandateId}, ${what}` });
  if (!mandate?.isSigned || mandate.organizationId !== organizationId || mandate.keyId !== byId) {
    find(IN_FORCE, "which nobody signed for its key");
    return problems;
  }
  const { sourceIds, destinationIds, maximumInCents } = mandate;
  const isOnRoute = sourceIds.includes(sourceId ?? "") && destinationIds.includes(destinationId ?? "");
  if (mode !== "LIVE" || !isOnRoute || amountInCents > maximumInCents) {
    find(WITHIN, `and moves ${amountInCents} from ${sourceId} to ${destinationId}`);
  }
  if ((answered.get(mark ?? "") ?? Number.POSITIVE_INFINITY) < (signed.get(mandate.id) ?? 0)) {
    find(IN_FORCE, "and was answered before anyone signed that");
  }
  if ((sent.get(mark ?? "") ?? 0) > (ended.get(mandate.id) ?? Number.POSITIVE_INFINITY)) {
    find(IN_FORCE, "and was sent after that had ended");
  }
  return problems;
}

function checkTogether(mandate: MandateRow | undefined, all: readonly TransferRow[]): Violation[] {
  if (!mandate) return [];
  const counted = all.filter(({ status }) => COUNTED.includes(status));
  const sum = counted.reduce((total, { amountInCents }) => total + amountInCents, 0);
  const { id, totalInCents, maximumUses } = mandate;
  if (sum <= totalInCents && counted.length <= maximumUses) return [];
  const what = `mandate ${id} of ${totalInCents} in ${maximumUses} has moved ${sum} in ${counted.length}`;
  return [{ promise: WITHIN, what }];
}

/** Places in the history: its order decides, not the processes' clocks, which are wrong. */
interface Moments {
  /** By mark, when it was first sent and first answered. */
  sent: Map<string, number>;
  answered: Map<string, number>;
  /** By mandate, when a member was first about to sign it, and first answered that it had ended. */
  signed: Map<string, number>;
  ended: Map<string, number>;
}

function readMoments(history: readonly HistoryEvent[]): Moments {
  const moments: Moments = { sent: new Map(), answered: new Map(), signed: new Map(), ended: new Map() };
  const calls = new Map(eventsOf(history, "called").map((called) => [called.call, called]));
  const first = (of: Map<string, number>, key: string, place: number) => {
    if (!of.has(key)) of.set(key, place);
  };
  for (const [place, event] of history.entries()) {
    if (event.kind === "called" && event.mark !== null) first(moments.sent, event.mark, place);
    if (event.kind === "called" && event.operation === "signMandate") {
      first(moments.signed, Object(event.body).mandateId, place);
    }
    if (event.kind !== "answered") continue;
    const called = calls.get(event.call);
    if (called && called.mark !== null && event.status < 300) first(moments.answered, called.mark, place);
    if (called?.operation === "endMandate" && event.status === 200) {
      first(moments.ended, Object(called.body).mandateId, place);
    }
  }
  return moments;
}
