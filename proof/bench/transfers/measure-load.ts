import { setTimeout as pause } from "node:timers/promises";
import { findFreePort, type ProductProcess, startProduct } from "@/lib/testing/product-process";
import { type LoadOptions, measureUntil, waitUntilCompleted } from "@/proof/bench/measurement";
import { waitUntilReconciled } from "@/proof/bench/performance/fleet";
import type { EngineUnderTest } from "@/proof/bench/performance/open-engine";
import { type ProcessorTime, perRequest, readProcessorTime } from "@/proof/bench/transfers/processor-time";
import type { LoadClient } from "@/proof/bench/transfers/send-load";

/** One load of one kind. */
export interface LoadFigures {
  requests: number;
  /** Over the time until the last one was completed. */
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Statements sent to PostgreSQL, the worker's included, per request. */
  roundTrips: number;
  /** Per request, until its audit entry is sealed; null: this system does not show it. */
  processor: ProcessorTime | null;
  /** By what they take of each request in PostgreSQL, waits for locks included. */
  statements: { text: string; calls: number; microseconds: number; planningMicroseconds: number }[];
}

/** Processes with every role, on one database; the program has no dashboard. */
export interface Processes {
  urls: string[];
  pids: number[];
  kill(): Promise<void>;
}

/** Each compiles its code and its connections' plans; by number, since of several each gets a part. */
const WARM_UP_REQUESTS = 5_000;
const WARM_UP_SECONDS = 2;
const WARM_UPS = 20;
const SEAL_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
/** Of ten thousand single ones, on a busy machine. */
const OWED_TIMEOUT_MS = 900_000;
const OWED_POLL_MS = 500;
const SHOWN_STATEMENTS = 16;

export async function startProcesses(
  engine: EngineUnderTest,
  program: string,
  count: number,
): Promise<Processes> {
  const { SLUICE_DATA_DIR: dataDirectory = "" } = engine.environment;
  const products: ProductProcess[] = [];
  const kill = async () => {
    await Promise.all(products.map((product) => product.kill()));
  };
  try {
    for (let started = 0; started < count; started++) {
      const port = await findFreePort();
      // Without the archive: its copies begin a minute after a start, and would fall into one load or another.
      const environment = { ...engine.environment, SLUICE_ARCHIVE: "0" };
      products.push(await startProduct({ program, dataDirectory, port, environment }));
    }
    await waitUntilReconciled(engine);
  } catch (error) {
    await kill();
    throw error;
  }
  return {
    urls: products.map(({ apiUrl }) => new URL(apiUrl).origin),
    pids: products.map(({ pid }) => pid),
    kill,
  };
}

export async function warmUp({ urls }: Processes, client: LoadClient, concurrency: number): Promise<void> {
  let left = WARM_UP_REQUESTS * urls.length;
  for (let round = 0; left > 0 && round < WARM_UPS; round++)
    left -= (await client.send(urls, { concurrency, seconds: WARM_UP_SECONDS })).requests;
}

/** Until everything is completed, and for the processor time until it is sealed. */
export async function measureLoad(
  engine: EngineUnderTest,
  processes: Processes,
  client: LoadClient,
  options: LoadOptions,
): Promise<LoadFigures> {
  await waitUntilSealed(engine);
  const before = await readProcessorTime(engine.superuser, processes.pids);
  const sending = { seconds: 0, requests: 0, p50Ms: 0, p99Ms: 0 };
  const { drainSeconds, statements } = await measureUntil(
    engine.superuser,
    async () => {
      Object.assign(sending, await client.send(processes.urls, options));
      return [];
    },
    () => waitUntilCompleted(engine.superuser),
  );
  await waitUntilSealed(engine);
  const after = await readProcessorTime(engine.superuser, processes.pids);
  const { requests, seconds, p50Ms, p99Ms } = sending;
  return {
    requests,
    perSecond: requests / (seconds + drainSeconds),
    p50Ms,
    p99Ms,
    roundTrips: statements.reduce((sum, { calls }) => sum + calls, 0) / requests,
    processor: perRequest(before, after, requests),
    statements: statements
      .map(({ text, calls, meanMs, planMs = 0 }) => ({
        text: text.slice(0, 160),
        calls: calls / requests,
        microseconds: (calls * meanMs * 1_000) / requests,
        planningMicroseconds: (planMs * 1_000) / requests,
      }))
      .sort((left, right) => right.microseconds - left.microseconds)
      .slice(0, SHOWN_STATEMENTS),
  };
}

/** What notices and messages cost that a load left to be sent. */
export interface OwedFigures {
  notices: number;
  seconds: number;
  /** Per notice. */
  processor: ProcessorTime | null;
}

/**
 * Waits until the notices of earlier loads are sent, single ones and their messages: they would otherwise be sent beside
 * the next load, as if it cost so much. Digests are due every quarter of an hour.
 */
export async function sendOwed(engine: EngineUnderTest, processes: Processes): Promise<OwedFigures> {
  const { superuser } = engine;
  const countHandled = async () => {
    const { rows } = await superuser.query<{ count: number }>(
      "select count(*)::int as count from notices where handled_at is not null",
    );
    return rows[0]?.count ?? 0;
  };
  await waitUntilSealed(engine);
  const handled = await countHandled();
  const before = await readProcessorTime(superuser, processes.pids);
  const startedAt = performance.now();
  const deadline = startedAt + OWED_TIMEOUT_MS;
  for (;;) {
    const { rows } = await superuser.query(`
      select from notices where handled_at is null and due_at <= now()
      union all select from messages where status = 'QUEUED' and due_at <= now() limit 1`);
    if (rows.length === 0) break;
    if (performance.now() > deadline) throw new Error("Notices were not sent in time");
    await pause(OWED_POLL_MS);
  }
  const after = await readProcessorTime(superuser, processes.pids);
  const notices = (await countHandled()) - handled;
  const seconds = (performance.now() - startedAt) / 1_000;
  return { notices, seconds, processor: perRequest(before, after, notices) };
}

async function waitUntilSealed({ superuser }: EngineUnderTest): Promise<void> {
  const deadline = performance.now() + SEAL_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const { rows } = await superuser.query("select from audit_unsealed limit 1");
    if (rows.length === 0) return;
    await pause(POLL_MS);
  }
  throw new Error("Audit entries were not sealed in time");
}
