import { type Answered, type Called, eventsOf, type HistoryEvent } from "@/proof/torture/checker/history";
import type { Violation } from "@/proof/torture/checker/violation";

const AT_ONCE = "a stop counts at once, at every process";

/**
 * What was sent after a key was revoked, or after all gates were closed and before anybody asked to open them, moved
 * nothing. The order of the history decides, and no clock: those of the processes are wrong.
 */
export function checkStops(history: readonly HistoryEvent[]): Violation[] {
  const places = new Map(history.map((event, place) => [event, place]));
  const answers = new Map(eventsOf(history, "answered").map((answered) => [answered.call, answered]));
  const calls = eventsOf(history, "called").map((called) => {
    const answered = answers.get(called.call);
    const answeredAt = (answered && places.get(answered)) ?? Number.POSITIVE_INFINITY;
    return { called, answered, sentAt: places.get(called) ?? 0, answeredAt };
  });
  return [...checkRevoked(calls), ...checkClosed(calls)];
}

interface Placed {
  called: Called;
  answered: Answered | undefined;
  sentAt: number;
  answeredAt: number;
}

const isDone = ({ answered }: Placed) => answered?.status === 200;

function checkRevoked(calls: readonly Placed[]): Violation[] {
  const revokedAt = new Map<string, number>();
  for (const one of calls.filter(({ called }) => called.operation === "revokeKey").filter(isDone)) {
    const { keyId } = Object(one.called.body);
    revokedAt.set(keyId, Math.min(revokedAt.get(keyId) ?? one.answeredAt, one.answeredAt));
  }
  return calls
    .filter(({ called, sentAt }) => sentAt > (revokedAt.get(called.keyId ?? "") ?? Number.POSITIVE_INFINITY))
    .filter(({ answered }) => answered !== undefined && answered.status < 300)
    .map(({ called }) => ({
      promise: AT_ONCE,
      what: `call ${called.call} was accepted with the revoked ${called.keyId}`,
    }));
}

/** A repetition is answered as the first time, which may have been before the closing: it moves nothing. */
function checkClosed(calls: readonly Placed[]): Violation[] {
  const closings = calls.filter(({ called }) => called.operation === "closeGates").filter(isDone);
  const openings = calls.filter(({ called }) => called.operation === "openGates");
  const firstSent = new Map<string, number>();
  for (const { called, sentAt } of calls) {
    const key = `${called.keyId} ${called.idempotencyKey}`;
    if (called.idempotencyKey !== null) firstSent.set(key, Math.min(firstSent.get(key) ?? sentAt, sentAt));
  }
  return closings.flatMap(({ called: { organizationId }, answeredAt: closedAt }) => {
    const ofParty = openings.filter(
      ({ called, sentAt }) => called.organizationId === organizationId && sentAt > closedAt,
    );
    const openedAt = Math.min(...ofParty.map(({ sentAt }) => sentAt), Number.POSITIVE_INFINITY);
    return calls
      .filter(
        ({ called }) => called.organizationId === organizationId && called.operation === "createTransfer",
      )
      .filter(({ called }) => (firstSent.get(`${called.keyId} ${called.idempotencyKey}`) ?? 0) > closedAt)
      .filter(
        ({ answered, answeredAt }) =>
          answeredAt < openedAt && answered !== undefined && answered.status < 300,
      )
      .map(({ called }) => ({
        promise: AT_ONCE,
        what: `call ${called.call} was accepted behind closed gates`,
      }));
  });
}
