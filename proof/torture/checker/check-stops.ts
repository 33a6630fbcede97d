import {
  type Answered,
  type Called,
  eventsOf,
  type HistoryEvent,
  type OpenedOrganization,
  type Violation,
} from "@/proof/torture/checker/history";
import type { Database, TransferRow } from "@/proof/torture/checker/read-database";

const AT_ONCE = "stopping takes effect at once, everywhere";

/**
 * What was sent after a key was revoked, or after all gates were closed and before anyone asked to open them, moved
 * nothing. The order of the history decides, not the processes' clocks, which are wrong.
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

/** A repetition gets the first answer, which may predate the closing: it moves nothing. */
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

const CAPPED = "a capped key stays within its cap";
/** The simulation has no longer chain of rules. */
const LONGEST_CHAIN = 12;

const DAY_MS = 86_400_000;

/**
 * Follows each movement back through runs and their causes to the key that began it, unless a person came in between.
 */
export function checkCaps(database: Database, opened: readonly OpenedOrganization[]): Violation[] {
  const caps = new Map(opened.flatMap(({ keys }) => keys.map(({ id, capInCents }) => [id, capInCents])));
  const moved = new Map<string, { at: Date; cents: number }[]>();
  const keyBehind = createKeyBehind(database);
  for (const transfer of database.transfers) {
    if (transfer.mode !== "LIVE" || transfer.acceptedAt === null) continue;
    const keyId = keyBehind(transfer);
    if (keyId === null || (caps.get(keyId) ?? null) === null) continue;
    const one = { at: transfer.acceptedAt, cents: transfer.amountInCents };
    moved.set(keyId, [...(moved.get(keyId) ?? []), one]);
  }
  return [...moved].flatMap(([keyId, all]) => {
    const cents = mostWithinADay(all);
    return cents <= (caps.get(keyId) ?? 0)
      ? []
      : [{ promise: CAPPED, what: `key ${keyId}: ${cents} in 24 hours` }];
  });
}

/** The largest sum of any 24 hours. */
function mostWithinADay(moved: readonly { at: Date; cents: number }[]): number {
  const inOrder = moved.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  let first = 0;
  let sum = 0;
  let most = 0;
  for (const { at, cents } of inOrder) {
    sum += cents;
    for (let one = inOrder[first]; one && at.getTime() - one.at.getTime() >= DAY_MS; one = inOrder[++first])
      sum -= one.cents;
    most = Math.max(most, sum);
  }
  return most;
}

function createKeyBehind({ transfers, executions, proposals }: Database) {
  const byId = new Map(transfers.map((row) => [row.id, row]));
  const runs = new Map(executions.map((row) => [row.id, row]));
  const asked = new Set(proposals.map(({ id }) => id));
  return (first: TransferRow): string | null => {
    let transfer: TransferRow | undefined = first;
    for (let step = 0; step < LONGEST_CHAIN && transfer; step++) {
      if (asked.has(transfer.id)) return null;
      if (transfer.executionId === null) return transfer.byKind === "API_KEY" ? transfer.byId : null;
      const run = runs.get(transfer.executionId);
      if (!run || asked.has(run.id)) return null;
      if (run.startedBy === "API_KEY") return run.startedById;
      transfer = run.causeKind === "TRANSFER" ? byId.get(run.causeId ?? "") : undefined;
    }
    return null;
  };
}
