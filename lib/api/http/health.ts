import { Hono } from "hono";
import { readFreeDiskSpace } from "@/lib/platform/free-disk-space";
import type { Services } from "@/lib/platform/services";

export const HEALTH_PATHS: readonly string[] = ["/healthz", "/readyz"];

/** PostgreSQL grows its log in 16 MB segments, and shuts down when it cannot. */
const LEAST_FREE_BYTES = 32 * 1024 * 1024;
/** The probes need no authentication, so a burst of them shares one check. */
const ANSWER_KEPT_MS = 1_000;

interface HealthOptions {
  /** Data folder of the embedded database; null for an external one, whose disk is not ours to watch. */
  databaseFolder: string | null;
  isStopping?: () => boolean;
}

/**
 * For load balancers: `/healthz` while the process runs, `/readyz` while its database also accepts writes and the
 * process is not stopping.
 */
export function createHealth(
  services: Pick<Services, "pool" | "log" | "clock">,
  { databaseFolder, isStopping }: HealthOptions,
): Hono {
  const app = new Hono();
  const findFault = keepFor(ANSWER_KEPT_MS, () => findWriteFault(services, databaseFolder));
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
): Promise<string | null> {
  try {
    const freeBytes = databaseFolder === null ? null : await readFreeDiskSpace(databaseFolder);
    if (freeBytes !== null && freeBytes < LEAST_FREE_BYTES) {
      log.warn({ freeBytes }, "not ready: the disk of the database is full");
      return "the disk of the database is full";
    }
    // Must reach the disk: the database's own `synchronous_commit` applies.
    await pool.query({
      name: "check_readiness",
      text: `insert into readiness_checks (id, checked_at) values (true, $1)
             on conflict (id) do update set checked_at = excluded.checked_at`,
      values: [clock.now()],
    });
    return null;
  } catch (err) {
    log.warn({ err }, "not ready: the database accepts no writes");
    return "the database accepts no writes";
  }
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
