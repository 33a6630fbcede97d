import { Hono } from "hono";
import { oldestStatementMs as readOldestMs } from "@/lib/db/running-statements";
import { readFreeDiskSpace } from "@/lib/platform/free-disk-space";
import type { Services } from "@/lib/platform/services";

export const HEALTH_PATHS: readonly string[] = ["/healthz", "/readyz"];

/** PostgreSQL grows its log in 16 MB segments, and shuts down when it cannot. */
const LEAST_FREE_BYTES = 32 * 1024 * 1024;
/** PostgreSQL cancels a request's statement after 15 seconds. One older than that waits for a server that is silent. */
const OLDEST_STATEMENT_MS = 16_000;
/** Shorter than a balancer waits for the probe itself. */
const WRITE_TIMEOUT_MS = 5_000;
/** The probes need no authentication, so a burst of them shares one check. */
const ANSWER_KEPT_MS = 1_000;

interface HealthOptions {
  /** Data folder of the embedded database; null for an external one, whose disk is not ours to watch. */
  databaseFolder: string | null;
  isStopping?: () => boolean;
  /** How old a running statement of a ready process may be; a parameter for tests. */
  oldestStatementMs?: number;
}

/**
 * For load balancers: `/healthz` while the process runs, `/readyz` while its database also accepts writes and the
 * process is not stopping.
 */
export function createHealth(
  services: Pick<Services, "pool" | "log" | "clock">,
  { databaseFolder, isStopping, oldestStatementMs = OLDEST_STATEMENT_MS }: HealthOptions,
): Hono {
  const app = new Hono();
  const findFault = keepFor(ANSWER_KEPT_MS, () =>
    findWriteFault(services, databaseFolder, oldestStatementMs),
  );
  app.get("/healthz", (c) => c.text("ok"));
  app.get("/readyz", async (c) => {
    if (isStopping?.()) return c.text("stopping", 503);
    const fault = await findFault();
    return fault === null ? c.text("ready") : c.text(fault, 503);
  });
  return app;
}

/** @returns why it is not ready, in words; null when it is */
async function findWriteFault(
  { pool, log, clock }: Pick<Services, "pool" | "log" | "clock">,
  databaseFolder: string | null,
  limitMs: number,
): Promise<string | null> {
  try {
    const freeBytes = databaseFolder === null ? null : await readFreeDiskSpace(databaseFolder);
    if (freeBytes !== null && freeBytes < LEAST_FREE_BYTES) {
      log.warn({ freeBytes }, "not ready: the disk of the database is full");
      return "the disk of the database is full";
    }
    const oldestMs = Math.round(readOldestMs(pool));
    if (oldestMs > limitMs) {
      log.warn({ oldestMs }, "not ready: the database does not answer");
      return `the database has not answered a statement for ${Math.floor(oldestMs / 1_000)} seconds`;
    }
    // Must reach the disk: the database's own `synchronous_commit` applies.
    const write = pool.query({
      name: "check_readiness",
      text: `insert into readiness_checks (id, checked_at) values (true, $1)
             on conflict (id) do update set checked_at = excluded.checked_at`,
      values: [clock.now()],
    });
    if (await isAnswered(write)) return null;
    log.warn({ waitedMs: WRITE_TIMEOUT_MS }, "not ready: the database does not answer");
    return `the database does not answer within ${WRITE_TIMEOUT_MS / 1_000} seconds`;
  } catch (err) {
    log.warn({ err }, "not ready: the database accepts no writes");
    return "the database accepts no writes";
  }
}

/**
 * False: not in time. The pool ends the statement later, and its error no longer matters.
 * @throws the statement's error
 */
async function isAnswered(write: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), WRITE_TIMEOUT_MS);
  });
  write.catch(() => undefined);
  const isInTime = await Promise.race([write.then(() => true), tooLate]);
  clearTimeout(timer);
  return isInTime;
}

/** One check serves everyone who asks within the interval, including those already waiting for it. */
function keepFor<T>(keptMs: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let askedAt = 0;
  return () => {
    const now = performance.now();
    if (answer === null || now - askedAt >= keptMs) {
      askedAt = now;
      answer = ask();
    }
    return answer;
  };
}
