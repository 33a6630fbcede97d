import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { readDueAges } from "@/lib/core/read-due-ages";
import type { EndedRequest } from "@/lib/doors/launcher/observe-requests";
import { readTally, type TallyName } from "@/lib/platform/observe/tally";
import type { Services } from "@/lib/platform/services";

export interface Metrics {
  requestEnded: (request: EndedRequest) => void;
  /** In Prometheus' text format. */
  write: () => Promise<string>;
  contentType: string;
}

type Needs = Pick<Services, "pool" | "clock" | "log">;

/** From a bare read to what a person gives up on. */
const DURATIONS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A database that hangs must show as one that is down, before whoever asks gives up. */
const DATABASE_TIMEOUT_MS = 2_000;

/** Every series has labels of short lists: patterns of addresses, kinds, outcomes; never an id. */
const TALLIES: readonly { tally: TallyName; name: string; help: string; label: string }[] = [
  { tally: "workBatches", name: "work_batches", help: "Looks for due work", label: "work" },
  { tally: "workItems", name: "work_items", help: "Things that due work did", label: "work" },
  { tally: "workFailures", name: "work_failures", help: "Batches of due work that failed", label: "work" },
  { tally: "workSeconds", name: "work_seconds", help: "Seconds spent in batches of due work", label: "work" },
  { tally: "rateLimited", name: "rate_limited", help: "Requests refused for their number", label: "caller" },
  {
    tally: "webhookAttempts",
    name: "webhook_attempts",
    help: "Attempts to deliver an event, by what became of the delivery",
    label: "outcome",
  },
  {
    tally: "transfers",
    name: "transfers",
    help: "Transfers and their ends, as this process saw them",
    label: "outcome",
  },
];

/**
 * What this process shows to Prometheus: itself, its requests, its work and its database. Each process counts what it did
 * itself; a sum over all of them is what Sluice did.
 */
export function createMetrics(services: Needs, { isWorker }: { isWorker: boolean }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "sluice_http_request_duration_seconds",
    help: "Requests that have ended, by door, pattern of the address, method and class of status",
    labelNames: ["door", "route", "method", "status"],
    buckets: DURATIONS_SECONDS,
    registers: [registry],
  });
  for (const { tally, name, help, label } of TALLIES) addTally(registry, tally, { name, help, label });
  addPool(registry, services.pool);
  addDatabase(registry, services, isWorker);
  return {
    requestEnded: ({ door, route, method, status, durationMs }) =>
      durations.observe({ door, route, method, status: `${Math.floor(status / 100)}xx` }, durationMs / 1_000),
    write: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function addTally(
  registry: Registry,
  tally: TallyName,
  { name, help, label }: { name: string; help: string; label: string },
): void {
  new Counter({
    name: `sluice_${name}_total`,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of readTally(tally)) this.inc({ [label]: value }, count);
    },
  });
}

function addPool(registry: Registry, pool: Services["pool"]): void {
  new Gauge({
    name: "sluice_database_connections",
    help: "Connections of this process: open, of these idle, and requests that wait for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "open" }, pool.totalCount);
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
}

function addDatabase(registry: Registry, services: Needs, isWorker: boolean): void {
  new Gauge({
    name: "sluice_database_up",
    help: "1 where the database answers this process within two seconds",
    registers: [registry],
    async collect() {
      this.set((await askInTime(() => services.pool.query("select 1"), services)) ? 1 : 0);
    },
  });
  if (!isWorker) return;
  new Gauge({
    name: "sluice_work_oldest_due_seconds",
    help: "For how long the oldest due work of a kind has been due, in all of the database",
    labelNames: ["work"],
    registers: [registry],
    async collect() {
      // Rather none than old ones, by which nobody would see that the work stands still.
      this.reset();
      const ages = await askInTime(() => readDueAges(services), services);
      for (const [work, seconds] of ages ?? []) this.set({ work }, seconds);
    },
  });
}

/** @returns null where there was no answer in time */
async function askInTime<T>(ask: () => Promise<T>, { log }: Pick<Services, "log">): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), DATABASE_TIMEOUT_MS);
  });
  const answered = ask().catch((err: unknown) => {
    log.warn({ err }, "the metrics could not ask the database");
    return null;
  });
  const answer = await Promise.race([answered, tooLate]);
  clearTimeout(timer);
  return answer;
}
