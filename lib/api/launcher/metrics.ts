import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { EndedRequest } from "@/lib/api/launcher/observe-requests";
import { countClosedGates } from "@/lib/core/keys/gates";
import { readStuckSeconds } from "@/lib/core/ledger/own-bank-accounts";
import { readReconciliationFigures } from "@/lib/core/reconciliation/read-figures";
import { readBankNewsFigures } from "@/lib/core/transfers/bank-news";
import { readDueAges } from "@/lib/core/work/read-due-ages";
import { readBackupAge } from "@/lib/db/backup/backup-folder";
import type { Config } from "@/lib/platform/config";
import { readFreeDiskSpace } from "@/lib/platform/free-disk-space";
import { type CounterName, readCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";

export interface Metrics {
  requestEnded: (request: EndedRequest) => void;
  /** In Prometheus' text format. */
  write: () => Promise<string>;
  contentType: string;
}

type Needs = Pick<Services, "pool" | "clock" | "log">;

/** From a bare read to more than a person waits for. */
const DURATIONS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A hanging database must show as down before the scraper times out. */
const DATABASE_TIMEOUT_MS = 2_000;

/** Labels come from short lists (route patterns, kinds, outcomes), never from ids. */
const COUNTERS: readonly { counter: CounterName; name: string; help: string; label: string }[] = [
  { counter: "workBatches", name: "work_batches", help: "Polls for due work", label: "work" },
  { counter: "workItems", name: "work_items", help: "Items of due work processed", label: "work" },
  { counter: "workFailures", name: "work_failures", help: "Batches of due work that failed", label: "work" },
  {
    counter: "workSeconds",
    name: "work_seconds",
    help: "Seconds spent in batches of due work",
    label: "work",
  },
  {
    counter: "rateLimited",
    name: "rate_limited",
    help: "Requests refused by the rate limit",
    label: "caller",
  },
  {
    counter: "webhookAttempts",
    name: "webhook_attempts",
    help: "Attempts to deliver an event, by resulting state of the delivery",
    label: "outcome",
  },
  {
    counter: "messages",
    name: "messages",
    help: "Attempts to send an email or SMS, by resulting state of the message",
    label: "outcome",
  },
  {
    counter: "transfers",
    name: "transfers",
    help: "Transfers and their final states, as seen by this process",
    label: "outcome",
  },
];

/**
 * Metrics of this process: runtime, requests, work and database. Each process counts only its own; sum over processes
 * for the total.
 */
export function createMetrics(
  services: Needs,
  { roles, dataDirectory, backups }: Pick<Config, "roles" | "dataDirectory" | "backups">,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "sluice_http_request_duration_seconds",
    help: "Completed requests by transport, route pattern, method and class of status",
    labelNames: ["transport", "route", "method", "status"],
    buckets: DURATIONS_SECONDS,
    registers: [registry],
  });
  for (const { counter, name, help, label } of COUNTERS) addCounter(registry, counter, { name, help, label });
  addPool(registry, services.pool);
  addDatabase(registry, services);
  if (roles.worker) {
    addOrganizations(registry, services);
    addReconciliation(registry, services);
    addStuckMoves(registry, services);
    addBankNews(registry, services);
  }
  addDisk(registry, services, { data: dataDirectory, backups: backups.directory });
  return {
    requestEnded: ({ transport, route, method, status, durationMs }) =>
      durations.observe(
        { transport, route, method, status: `${Math.floor(status / 100)}xx` },
        durationMs / 1_000,
      ),
    write: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function addCounter(
  registry: Registry,
  counter: CounterName,
  { name, help, label }: { name: string; help: string; label: string },
): void {
  new Counter({
    name: `sluice_${name}_total`,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of readCounter(counter)) this.inc({ [label]: value }, count);
    },
  });
}

function addPool(registry: Registry, pool: Services["pool"]): void {
  new Gauge({
    name: "sluice_database_connections",
    help: "Connections of this process: open, idle, and requests waiting for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      this.set({ state: "open" }, pool.totalCount);
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
}

function addDatabase(registry: Registry, services: Needs): void {
  new Gauge({
    name: "sluice_database_up",
    help: "1 when the database answers this process within two seconds",
    registers: [registry],
    async collect() {
      this.set((await askInTime(() => services.pool.query("select 1"), services)) ? 1 : 0);
    },
  });
}

/** Figures of the whole database: reported only by workers, since every process would report the same. */
function addOrganizations(registry: Registry, services: Needs): void {
  new Gauge({
    name: "sluice_gates_closed",
    help: "Organizations with all gates closed",
    registers: [registry],
    async collect() {
      this.reset();
      const closed = await askInTime(() => countClosedGates(services), services);
      if (closed !== null) this.set(closed);
    },
  });
  new Gauge({
    name: "sluice_work_oldest_due_seconds",
    help: "Age of the oldest due work of each kind, in the whole database",
    labelNames: ["work"],
    registers: [registry],
    async collect() {
      // No value is better than a stale one, which would hide that work has stopped.
      this.reset();
      const ages = await askInTime(() => readDueAges(services), services);
      for (const [work, seconds] of ages ?? []) this.set({ work }, seconds);
    },
  });
}

function addStuckMoves(registry: Registry, services: Needs): void {
  new Gauge({
    name: "sluice_pod_move_stuck_seconds",
    help: "Age of the oldest move of a pod's own account that the bank refuses or leaves unanswered; 0 without one",
    registers: [registry],
    async collect() {
      this.reset();
      const seconds = await askInTime(() => readStuckSeconds(services), services);
      if (seconds !== null) this.set(seconds);
    },
  });
}

const RECONCILIATION_GAUGES = [
  {
    name: "sluice_bank_differences_open",
    help: "Differences between the bank's statement and the books that settlement does not explain",
    figure: "openDifferences",
  },
  {
    name: "sluice_bank_difference_oldest_seconds",
    help: "Age of the oldest open difference; 0 without one",
    figure: "oldestSeconds",
  },
  {
    name: "sluice_reconciliation_age_seconds",
    help: "Time since the organization was reconciled that has waited longest",
    figure: "ageSeconds",
  },
  {
    name: "sluice_reconciliations_unexplained",
    help: "Organizations whose statement does not add up to the bank's balance",
    figure: "unexplained",
  },
] as const;

function addReconciliation(registry: Registry, services: Needs): void {
  for (const { name, help, figure } of RECONCILIATION_GAUGES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        const figures = await askInTime(() => readReconciliationFigures(services), services);
        if (figures !== null) this.set(figures[figure]);
      },
    });
  }
}

/** What the bank says and could not be read or booked, and how long ago all of it was read. */
function addBankNews(registry: Registry, services: Needs): void {
  const read = () => askInTime(() => readBankNewsFigures(services), services);
  new Gauge({
    name: "sluice_bank_notices_set_aside",
    help: "What the bank reported and cannot be read (unread) or booked (unapplied); both are tried again",
    labelNames: ["kind"],
    registers: [registry],
    async collect() {
      this.reset();
      const figures = await read();
      if (figures === null) return;
      this.set({ kind: "unread" }, figures.unread);
      this.set({ kind: "unapplied" }, figures.unapplied);
    },
  });
  new Gauge({
    name: "sluice_bank_notice_set_aside_oldest_seconds",
    help: "Time since the oldest of these was set aside; 0 without one",
    registers: [registry],
    async collect() {
      this.reset();
      const figures = await read();
      if (figures !== null) this.set(figures.oldestSeconds);
    },
  });
  new Gauge({
    name: "sluice_bank_news_age_seconds",
    help: "Time since the bank's list of events was read to its end; none for the sandbox bank",
    registers: [registry],
    async collect() {
      this.reset();
      const age = (await read())?.ageSeconds ?? null;
      if (age !== null) this.set(age);
    },
  });
}

function addDisk(registry: Registry, services: Needs, folders: { data: string; backups: string }): void {
  new Gauge({
    name: "sluice_disk_free_bytes",
    help: "Free space on the disks of the data folder and the backup folder",
    labelNames: ["folder"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [folder, path] of Object.entries(folders)) {
        const bytes = await askInTime(() => readFreeDiskSpace(path), services);
        if (bytes !== null) this.set({ folder }, bytes);
      }
    },
  });
  new Gauge({
    name: "sluice_backup_age_seconds",
    help: "Age of the newest backup in the backup folder; +Inf without one",
    registers: [registry],
    async collect() {
      this.reset();
      const ageMs = await askInTime(() => readBackupAge(folders.backups), services);
      if (ageMs !== null) this.set(ageMs / 1_000);
    },
  });
}

/** @returns null without an answer in time */
async function askInTime<T>(ask: () => Promise<T>, { log }: Pick<Services, "log">): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), DATABASE_TIMEOUT_MS);
  });
  const answered = ask().catch((err: unknown) => {
    log.warn({ err }, "a metric could not be read");
    return null;
  });
  const answer = await Promise.race([answered, tooLate]);
  clearTimeout(timer);
  return answer;
}
