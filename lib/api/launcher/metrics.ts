import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { addDatabaseFigures } from "@/lib/api/launcher/database-figures";
import type { EndedRequest } from "@/lib/api/launcher/observe-requests";
import type { RequestsInFlight } from "@/lib/api/launcher/requests-in-flight";
import { ALL_KINDS } from "@/lib/core/shared/work-names";
import { readArchiveAges } from "@/lib/db/archive/archive-folder";
import { readBackupAge, readRestoreTest } from "@/lib/db/backup/backup-folder";
import { readHandOverFigures } from "@/lib/db/backup/hand-over";
import { oldestStatementMs } from "@/lib/db/running-statements";
import { systemClock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { readFreeDiskSpace } from "@/lib/platform/free-disk-space";
import { type CounterName, readCounter, readWorkSuccesses } from "@/lib/platform/observe/counters";
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

const ARCHIVE_GAUGES: readonly {
  name: string;
  help: string;
  read: (ages: Awaited<ReturnType<typeof readArchiveAges>>) => number;
}[] = [
  {
    name: "sluice_archive_age_seconds",
    help: "How far the archive of the embedded database is behind; +Inf without a copy",
    read: ({ untilMs }) => untilMs,
  },
  {
    name: "sluice_archive_copy_age_seconds",
    help: "Age of the newest copy of the embedded database in its archive; +Inf without one",
    read: ({ baseMs }) => baseMs,
  },
];

/**
 * Metrics of this process: runtime, requests, work and database. Each process counts only its own; sum over processes
 * for the total.
 */
export function createMetrics(
  services: Needs,
  {
    roles,
    dataDirectory,
    backups,
    archive,
  }: Pick<Config, "roles" | "dataDirectory" | "archive"> & {
    backups: Pick<Config["backups"], "directory" | "command" | "isTested">;
  },
  { inFlight, version }: { inFlight: RequestsInFlight; version: string },
): Metrics {
  const registry = new Registry();
  const startedAt = performance.now();
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
  addRequestsInFlight(registry, inFlight);
  addBuild(registry, version);
  if (roles.worker) {
    addDatabaseFigures(registry, services, (ask) => askInTime(ask, services));
    addWork(registry, startedAt);
  }
  if (archive) addArchive(registry, services, archive.directory);
  if (backups.command) addHandOver(registry, services, backups.directory);
  if (backups.isTested) addRestoreTest(registry, services, backups.directory);
  addDisk(registry, services, {
    data: dataDirectory,
    backups: backups.directory,
    ...(archive && { archive: archive.directory }),
  });
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

function addRequestsInFlight(registry: Registry, inFlight: RequestsInFlight): void {
  new Gauge({
    name: "sluice_http_requests_in_flight",
    help: "Requests received and not answered completely, by transport, without probes",
    labelNames: ["transport"],
    registers: [registry],
    collect() {
      for (const { transport, count } of inFlight.read()) this.set({ transport }, count);
    },
  });
  new Gauge({
    name: "sluice_http_request_oldest_seconds",
    help: "Age of the oldest request in flight; 0 without one",
    labelNames: ["transport"],
    registers: [registry],
    collect() {
      for (const { transport, oldestSeconds } of inFlight.read()) this.set({ transport }, oldestSeconds);
    },
  });
}

function addBuild(registry: Registry, version: string): void {
  new Gauge({
    name: "sluice_build_info",
    help: "Always 1; the labels say what runs",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
}

/** Covers every kind, also those without a queue whose age could be read. */
function addWork(registry: Registry, startedAt: number): void {
  new Gauge({
    name: "sluice_work_since_success_seconds",
    help: "Time since this process last looked for due work of each kind without an error",
    labelNames: ["work"],
    registers: [registry],
    collect() {
      const now = performance.now();
      const succeededAt = readWorkSuccesses();
      for (const work of ALL_KINDS) this.set({ work }, (now - (succeededAt.get(work) ?? startedAt)) / 1_000);
    },
  });
}

function addDatabase(registry: Registry, services: Needs): void {
  new Gauge({
    name: "sluice_database_statement_oldest_seconds",
    help: "How long the oldest running statement of this process has waited for its answer; 0 without one",
    registers: [registry],
    collect() {
      this.set(oldestStatementMs(services.pool) / 1_000);
    },
  });
  new Gauge({
    name: "sluice_database_up",
    help: "1 when the database answers this process within two seconds",
    registers: [registry],
    async collect() {
      this.set((await askInTime(() => services.pool.query("select 1"), services)) ? 1 : 0);
    },
  });
}

function addDisk(
  registry: Registry,
  services: Needs,
  folders: { data: string; backups: string; archive?: string },
): void {
  new Gauge({
    name: "sluice_disk_free_bytes",
    help: "Free space on the disks of the data folder, the backup folder and the archive",
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

function addHandOver(registry: Registry, services: Needs, directory: string): void {
  new Counter({
    name: "sluice_backup_command_failures_total",
    help: "Failed attempts of SLUICE_BACKUP_COMMAND to take a backup, of all processes on the backup folder",
    registers: [registry],
    async collect() {
      this.reset();
      const figures = await askInTime(() => readHandOverFigures(directory), services);
      if (figures !== null) this.inc(figures.failures);
    },
  });
  new Gauge({
    name: "sluice_backup_command_waiting_seconds",
    help: "Age of the oldest backup that SLUICE_BACKUP_COMMAND has not taken; 0 without one",
    registers: [registry],
    async collect() {
      this.reset();
      const figures = await askInTime(() => readHandOverFigures(directory), services);
      if (figures !== null) this.set(figures.waitingMs / 1_000);
    },
  });
}

const TEST_OUTCOMES = ["SUCCEEDED", "FAILED", "IMPOSSIBLE"] as const;

function addRestoreTest(registry: Registry, services: Needs, directory: string): void {
  const read = () => askInTime(() => readRestoreTest(directory), services);
  new Gauge({
    name: "sluice_restore_test_age_seconds",
    help: "Time since a restore test succeeded; +Inf if none has",
    registers: [registry],
    async collect() {
      const provenAt = (await read())?.provenAt;
      this.set(
        provenAt ? (systemClock.now().getTime() - provenAt.getTime()) / 1_000 : Number.POSITIVE_INFINITY,
      );
    },
  });
  new Gauge({
    name: "sluice_restore_test_outcome",
    help: "1 for how the last restore test ended; IMPOSSIBLE: nothing was learned about the backup",
    labelNames: ["outcome"],
    registers: [registry],
    async collect() {
      const last = await read();
      for (const outcome of TEST_OUTCOMES) this.set({ outcome }, last?.outcome === outcome ? 1 : 0);
    },
  });
  new Gauge({
    name: "sluice_restore_test_seconds",
    help: "How long the last restore test took that restored anything",
    registers: [registry],
    async collect() {
      this.reset();
      const seconds = (await read())?.seconds;
      if (seconds) this.set(seconds);
    },
  });
}

function addArchive(registry: Registry, services: Needs, directory: string): void {
  for (const { name, help, read } of ARCHIVE_GAUGES)
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        const ages = await askInTime(() => readArchiveAges(directory), services);
        if (ages !== null) this.set(read(ages) / 1_000);
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
