import { Hono } from "hono";
import { readFreeDiskSpace } from "@/lib/platform/free-disk-space";
import type { Services } from "@/lib/platform/services";

export const HEALTH_PATHS: readonly string[] = ["/healthz", "/readyz"];

/** PostgreSQL takes room for its log by 16 MB, and ends where it gets none. */
const LEAST_FREE_BYTES = 32 * 1024 * 1024;
/** Nobody has to say who they are to ask: what each answer costs, a burst of questions pays once. */
const ANSWER_KEPT_MS = 1_000;

interface HealthOptions {
  /** Where the embedded database is. Null: the database looks after its own disk. */
  databaseFolder: string | null;
  isStopping?: () => boolean;
}

/**
 * For load balancers: `/healthz` while the process lives, `/readyz` while its database also takes what is written and it
 * is not about to stop.
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

/** @returns what keeps it from taking writes, in words for whoever asks; null where nothing does */
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
    // It must end on the disk: `synchronous_commit` is the database's own.
    await pool.query({
      name: "check_readiness",
      text: `insert into readiness_checks (id, checked_at) values (true, $1)
             on conflict (id) do update set checked_at = excluded.checked_at`,
      values: [clock.now()],
    });
    return null;
  } catch (err) {
    log.warn({ err }, "not ready: the database takes no writes");
    return "the database takes no writes";
  }
}

/** Asks once for all who ask within the time, those that wait for the answer included. */
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
