import type { Client } from "pg";
import type { Caller } from "@/proof/bench/arrange";

/** The result of one way of making transfers in one round. */
export interface Measurement {
  /** Each accepted transfer, from the first byte sent to the last one read. */
  latenciesMs: number[];
  /** How long transfers were accepted. */
  seconds: number;
  /** How long after that the last one was completed. */
  drainSeconds: number;
  statements: Statement[];
}

/** One statement sent to PostgreSQL, as counted by `pg_stat_statements`: each call is a round trip. */
interface Statement {
  text: string;
  calls: number;
  /** In the server, without the network and without waiting for the commit to reach the disk. */
  meanMs: number;
  /** Of all calls, before they were carried out. */
  planMs?: number;
}

const DRAIN_TIMEOUT_MS = 60_000;
const DRAIN_POLL_MS = 5;

/**
 * Runs a load and waits until everything it created is completed.
 * @param load accepts transfers for some seconds; returns the latency of each
 * @param bookRest for a load that leaves something unbooked
 */
export async function measure(
  superuser: Client,
  load: () => Promise<number[]>,
  bookRest: () => Promise<void> = async () => undefined,
): Promise<Measurement> {
  return measureUntil(superuser, load, async () => {
    await bookRest();
    await waitUntilCompleted(superuser);
  });
}

/**
 * Runs a load and waits until what it started has ended.
 * @param load returns the latency of each request
 * @param waitForEnd of what the requests began
 */
export async function measureUntil(
  superuser: Client,
  load: () => Promise<number[]>,
  waitForEnd: () => Promise<void>,
): Promise<Measurement> {
  await superuser.query("select pg_stat_statements_reset()");
  const startedAt = performance.now();
  const latenciesMs = await load();
  const endedAt = performance.now();
  await waitForEnd();
  const drainSeconds = (performance.now() - endedAt) / 1000;
  return {
    latenciesMs,
    seconds: (endedAt - startedAt) / 1000,
    drainSeconds,
    statements: await readStatements(superuser),
  };
}

/** Until no accepted transfer is left to book. */
export async function waitUntilCompleted(superuser: Client): Promise<void> {
  const deadline = performance.now() + DRAIN_TIMEOUT_MS;
  for (;;) {
    const { rows } = await superuser.query("select from transfers where next_step = 'BOOK' limit 1");
    if (rows.length === 0) return;
    if (performance.now() > deadline) throw new Error("Accepted transfers were not booked in time");
    await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
  }
}

async function readStatements(superuser: Client): Promise<Statement[]> {
  const { rows } = await superuser.query<Statement>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::int, mean_exec_time as "meanMs", total_plan_time as "planMs"
       from pg_stat_statements where userid = 'sluice_app'::regrole and toplevel order by calls desc limit 500`,
  );
  return rows;
}

/** Several rounds as one. */
export function merge(rounds: readonly Measurement[]): Measurement {
  const statements = new Map<string, Statement>();
  for (const { text, calls, meanMs } of rounds.flatMap((round) => round.statements)) {
    const before = statements.get(text) ?? { text, calls: 0, meanMs: 0 };
    const sum = before.calls + calls;
    const mean = (before.meanMs * before.calls + meanMs * calls) / sum;
    statements.set(text, { text, calls: sum, meanMs: mean });
  }
  const total = (of: (round: Measurement) => number) => rounds.reduce((sum, round) => sum + of(round), 0);
  return {
    latenciesMs: rounds.flatMap((round) => round.latenciesMs),
    seconds: total((round) => round.seconds),
    drainSeconds: total((round) => round.drainSeconds),
    statements: [...statements.values()].sort((left, right) => right.calls - left.calls),
  };
}

/** How many at a time, and for how long. */
export interface LoadOptions {
  concurrency: number;
  seconds: number;
}

/** One transfer to request. */
export interface Wish {
  caller: Caller;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
}

/** Keys in turn, so that none comes near its rate limit; all pods of an organization are used equally. */
export function planWishes(callers: readonly Caller[]): () => Wish {
  let count = 0;
  return () => {
    const caller = callers[count % callers.length];
    const turn = Math.floor(count / callers.length) + count;
    count += 1;
    const sourceAccountId = caller?.pods[turn % caller.pods.length];
    const destinationAccountId = caller?.pods[(turn + 3) % caller.pods.length];
    if (!caller || !sourceAccountId || !destinationAccountId) throw new Error("There is nobody to ask");
    return { caller, sourceAccountId, destinationAccountId, amountInCents: 100 + (count % 900) };
  };
}

/**
 * Repeats a request, several at a time.
 * @returns the milliseconds that each took
 */
export async function repeat(
  request: () => Promise<void>,
  { concurrency, seconds }: LoadOptions,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  const loop = async () => {
    for (let startedAt = performance.now(); startedAt < endsAt; ) {
      await request();
      const endedAt = performance.now();
      latenciesMs.push(endedAt - startedAt);
      startedAt = endedAt;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return latenciesMs;
}
