import {
  type Answered,
  type Called,
  eventsOf,
  groupBy,
  type HistoryEvent,
  type Violation,
} from "@/proof/torture/checker/history";
import type { Database, TransferRow } from "@/proof/torture/checker/read-database";

const KEPT = "acknowledged results exist as requested";
const REFUSED = [400, 401, 403, 404, 413];
const ONE_EFFECT = "one idempotency key has one effect";

/** Every write that was answered with success is in the database once, and nothing is there that was not requested. */
export function checkAcknowledged(history: readonly HistoryEvent[], database: Database): Violation[] {
  const calls = new Map(eventsOf(history, "called").map((called) => [called.call, called]));
  const answers = eventsOf(history, "answered").map((answered) => ({
    answered,
    called: calls.get(answered.call),
  }));
  const pairs = answers.flatMap(({ answered, called }) => (called ? [{ answered, called }] : []));
  return [
    ...checkRefused(pairs, [...calls.values()]),
    ...checkTransfers(pairs, database),
    ...checkRuns(pairs, database),
    ...checkAccounts(pairs, database),
    ...checkReads(pairs),
    ...checkCancellations(pairs, database),
    ...checkOneDeed(pairs),
    ...checkNothingInvented([...calls.values()], database),
    ...checkAudited(pairs, database),
  ];
}

interface Pair {
  called: Called;
  answered: Answered;
}

const isAccepted = ({ answered: { status } }: Pair) => status >= 200 && status < 300;
const accepted = (pairs: readonly Pair[], operation: Called["operation"]) =>
  pairs.filter((pair) => pair.called.operation === operation && isAccepted(pair));

/** The simulation's agents never ask for what they may not: a refusal would hide what they were to try. */
function checkRefused(pairs: readonly Pair[], calls: readonly Called[]): Violation[] {
  const doomed = new Set(
    calls.flatMap(({ operation, body }) => (operation === "revokeKey" ? [Object(body).keyId] : [])),
  );
  return pairs
    .filter(({ called, answered }) => called.keyId !== null && REFUSED.includes(answered.status))
    .filter(({ called, answered }) => !(answered.status === 401 && doomed.has(called.keyId)))
    .filter(({ answered }) => !answered.refusal?.includes("All gates of this organization are closed"))
    .map(({ called, answered }) => ({
      promise: "an allowed request is not refused",
      what: `${called.operation} was answered ${answered.status} ${answered.refusal}`,
    }));
}

function checkTransfers(pairs: readonly Pair[], { transfers }: Database): Violation[] {
  const rows = new Map(transfers.map((row) => [row.id, row]));
  return accepted(pairs, "createTransfer").flatMap(({ called, answered }) => {
    const row = rows.get(answered.resource?.id ?? "");
    if (row && row.organizationId === called.organizationId && isAsAsked(row, called)) return [];
    return [
      {
        promise: KEPT,
        what: `call ${called.call} was answered with ${answered.resource?.id}: ${describe(row)}`,
      },
    ];
  });
}

function isAsAsked(row: TransferRow, { body, mark, keyId }: Called): boolean {
  const { sourceAccountId, destinationAccountId, amountInCents } = Object(body);
  return (
    row.mark === mark &&
    row.byId === keyId &&
    row.sourceId === sourceAccountId &&
    row.destinationId === destinationAccountId &&
    row.amountInCents === amountInCents
  );
}

function describe(row: TransferRow | undefined): string {
  return row
    ? `${row.status} ${row.amountInCents} from ${row.sourceId} to ${row.destinationId}`
    : "there is none";
}

function checkRuns(pairs: readonly Pair[], { executions }: Database): Violation[] {
  const rows = new Map(executions.map((row) => [row.id, row]));
  return accepted(pairs, "triggerRule").flatMap(({ called, answered }) => {
    const row = rows.get(answered.resource?.id ?? "");
    if (row?.organizationId === called.organizationId && row.startedById === called.keyId) return [];
    return [
      {
        promise: KEPT,
        what: `call ${called.call} was answered with run ${answered.resource?.id}, which is not there`,
      },
    ];
  });
}

function checkAccounts(pairs: readonly Pair[], { accounts }: Database): Violation[] {
  const rows = new Map(accounts.map((row) => [row.id, row]));
  return accepted(pairs, "createAccount").flatMap(({ called, answered }) => {
    const row = rows.get(answered.resource?.id ?? "");
    if (row?.organizationId === called.organizationId && row.name === Object(called.body).name) return [];
    return [
      { promise: KEPT, what: `call ${called.call} was answered with account ${answered.resource?.id}` },
    ];
  });
}

/** What was reported to a program can be read at every process, at once. */
function checkReads(pairs: readonly Pair[]): Violation[] {
  return pairs
    .filter(
      ({ called, answered }) => called.operation === "getTransfer" && [200, 404].includes(answered.status),
    )
    .filter(({ called, answered }) => answered.resource?.id !== Object(called.body).id)
    .map(({ called, answered }) => ({
      promise: KEPT,
      what: `call ${called.call} read ${Object(called.body).id} and was answered ${answered.status}`,
    }));
}

function checkCancellations(pairs: readonly Pair[], { transfers }: Database): Violation[] {
  const rows = new Map(transfers.map((row) => [row.id, row]));
  return accepted(pairs, "cancelTransfer").flatMap(({ answered }) => {
    const row = rows.get(answered.resource?.id ?? "");
    if (row?.status === "CANCELLED") return [];
    return [{ promise: KEPT, what: `transfer ${answered.resource?.id} was canceled and is ${row?.status}` }];
  });
}

/** However often, and at however many processes at once, a request was sent. */
function checkOneDeed(pairs: readonly Pair[]): Violation[] {
  const byKey = groupBy(
    pairs.filter((pair) => isAccepted(pair) && pair.called.idempotencyKey !== null),
    ({ called }) => `${called.keyId} ${called.operation} ${called.idempotencyKey}`,
  );
  return [...byKey].flatMap(([key, answers]) => {
    const ids = new Set(answers.map(({ answered }) => answered.resource?.id));
    return ids.size === 1 ? [] : [{ promise: ONE_EFFECT, what: `${key} became ${[...ids].join(" and ")}` }];
  });
}

/** An intent that was never answered may exist once; nothing exists without an intent, and nothing twice. */
function checkNothingInvented(calls: readonly Called[], { transfers, executions }: Database): Violation[] {
  const violations: Violation[] = [];
  const asked = new Set(calls.flatMap(({ mark }) => (mark === null ? [] : [mark])));
  const byMark = groupBy(
    transfers.filter(({ byKind }) => byKind === "API_KEY"),
    ({ mark }) => mark ?? "",
  );
  for (const [mark, rows] of byMark) {
    if (!asked.has(mark))
      violations.push({ promise: ONE_EFFECT, what: `nobody asked for transfer ${rows[0]?.id}` });
    if (rows.length > 1)
      violations.push({ promise: ONE_EFFECT, what: `${mark} became ${rows.length} transfers` });
  }
  const triggers = new Set(
    calls.flatMap(({ operation, keyId, idempotencyKey }) =>
      operation === "triggerRule" ? [`${keyId} ${idempotencyKey}`] : [],
    ),
  );
  const runs = executions.filter(({ startedBy }) => startedBy === "API_KEY").length;
  if (runs > triggers.size) {
    violations.push({ promise: ONE_EFFECT, what: `${triggers.size} runs were asked for, there are ${runs}` });
  }
  return violations;
}

/** Every answer of the API is in the audit log, under the number that the caller received. */
function checkAudited(pairs: readonly Pair[], { auditEntries }: Database): Violation[] {
  const entries = new Set(
    auditEntries.map(({ organizationId, requestId }) => `${organizationId} ${requestId}`),
  );
  return pairs
    .filter((pair) => isAccepted(pair) && pair.answered.requestId !== null)
    .filter(({ called, answered }) => !entries.has(`${called.organizationId} ${answered.requestId}`))
    .map(({ called, answered }) => ({
      promise: "every response is in the audit log",
      what: `request ${answered.requestId} of ${called.operation} is not`,
    }));
}
