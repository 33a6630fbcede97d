import type { Server } from "node:http";
import { constants } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenServer } from "@/lib/api/launcher/open-server";
import type { Archiver } from "@/lib/db/archive/archiver";
import type { BackupUpkeep } from "@/lib/db/backup/backup-upkeep";
import type { ChangeSignals } from "@/lib/db/change-signals";
import type { Database } from "@/lib/db/database";
import type { Workers } from "@/lib/db/workers";
import type { Log } from "@/lib/platform/log";
import type { Tracing } from "@/lib/platform/observe/tracing";

/** Everything that is open, closed in this order. */
export interface OpenedProduct {
  server: OpenServer;
  /** Releases requests that are held open on purpose. */
  release: () => void;
  workers: Workers;
  signals: ChangeSignals;
  tracing: Tracing | undefined;
  archiver: Archiver | null;
  backupUpkeep: BackupUpkeep | null;
  database: Database;
  log: Log;
}

/** Longer than any request may take; connections still open then are cut. */
const REQUESTS_TIMEOUT_MS = 15_000;
/** A batch calls banks and receivers, which have ten seconds. Work not recorded by then is repeated. */
const WORK_TIMEOUT_MS = 30_000;
const ARCHIVE_TIMEOUT_MS = 10_000;
/**
 * A caller that keeps its connection may have sent the next request before it learns that the connection closes: for this
 * long it is answered with "Connection: close" instead of cut off.
 */
const LEAVE_MS = 250;
/** A keep-alive connection becomes idle with its last answer and can be closed then. */
const IDLE_EVERY_MS = 50;
/** Under `npm start`, Ctrl-C reaches both npm and this process, and npm forwards it: the same signal arrives twice. */
const SAME_SIGNAL_MS = ["start", "dev"].includes(process.env.npm_lifecycle_event ?? "") ? 500 : 0;

/**
 * Closes in order on SIGINT and SIGTERM: fails the readiness probe, refuses new requests and work, finishes what is
 * running, flushes traces, closes the database last. Each step is bounded. A second signal ends the process at once,
 * which is as safe as a crash.
 * @param drainMs how long requests are still accepted, so that a load balancer can react
 */
export function closeOnSignal(opened: OpenedProduct, drainMs: number): void {
  let closingSince: number | null = null;
  const onSignal = (signal: "SIGINT" | "SIGTERM") => {
    if (closingSince !== null) {
      if (performance.now() - closingSince < SAME_SIGNAL_MS) return;
      process.exit(128 + constants.signals[signal]);
    }
    closingSince = performance.now();
    opened.log.info({ signal }, "stopping");
    void close(opened, drainMs).then(
      () => process.exit(0),
      (err: unknown) => {
        opened.log.error({ err }, "could not stop in order");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}

async function close(opened: OpenedProduct, drainMs: number): Promise<void> {
  const { server, release, workers, signals, tracing, archiver, backupUpkeep, database, log } = opened;
  server.beginStopping();
  const backupsLeft = backupUpkeep
    ? withinTime(backupUpkeep.stop(), WORK_TIMEOUT_MS, () =>
        log.warn("the backup command did not end in time"),
      )
    : Promise.resolve();
  const worked = withinTime(workers.stop(), WORK_TIMEOUT_MS, () =>
    log.warn("work took too long to finish and will be repeated"),
  );
  await pause(Math.max(drainMs, LEAVE_MS));
  // The worker may be waiting for this process.
  release();
  await Promise.all([closeServer(server.server, log), worked, backupsLeft]);
  await server.endAudit();
  await workers.close();
  await signals.close();
  await tracing?.stop();
  // After the last commit of this process. A copy of the whole database may take longer, and is made again.
  if (archiver)
    await withinTime(archiver.stop(), ARCHIVE_TIMEOUT_MS, () =>
      log.warn("the archive took too long to finish and goes on at the next start"),
    );
  await database.close();
  log.info("stopped");
}

async function closeServer(server: Server, log: Log): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_EVERY_MS);
  await withinTime(closed, REQUESTS_TIMEOUT_MS, () => {
    log.warn("requests took too long and were cut off");
    server.closeAllConnections();
  });
  clearInterval(idle);
}

async function withinTime(ended: Promise<void>, timeoutMs: number, onTimeout: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onTimeout();
      resolve();
    }, timeoutMs);
  });
  await Promise.race([ended, tooLong]);
  clearTimeout(timer);
}
