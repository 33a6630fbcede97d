import { BOOK_TRANSFERS } from "@/lib/core/shared/work-names";
import { createPool } from "@/lib/db/pool";
import { createLog } from "@/lib/platform/log";
import { startWork } from "@/lib/platform/work";
import type { Scene } from "./arrange";
import { type LoadOptions, planWishes, repeat, type Wish } from "./load";
import { type Measurement, measure } from "./measurement";
import { bookBySql, makeBySql } from "./sql-request";

/** Who moves money, and on what database. */
type Callers = Pick<Scene, "callers" | "superuser" | "application">;

const WARM_UP_SECONDS = 1.5;
const BOOKING_BATCH = 64;

/** The statements of the API, from a bare loop. */
export async function measureSql(scene: Callers, options: LoadOptions): Promise<Measurement> {
  const pool = createPool(scene.application);
  const bookings = {
    name: BOOK_TRANSFERS,
    batchSize: BOOKING_BATCH,
    pollIntervalMs: 250,
    runBatch: () => bookBySql(pool, BOOKING_BATCH),
  };
  const worker = startWork([bookings], createLog("error"));
  const make = async (wish: Wish) => {
    await makeBySql(pool, wish);
    worker.wake(BOOK_TRANSFERS);
  };
  try {
    return await warmUpAndMeasure(scene, make, options);
  } finally {
    await worker.stop();
    await pool.end();
  }
}

/** The statements of the API, from pgbench. What its last claims left is booked from here. */
export async function measurePgbench(
  scene: Callers,
  pgbench: (options: LoadOptions) => Promise<number[]>,
  options: LoadOptions,
): Promise<Measurement> {
  const pool = createPool(scene.application);
  const bookRest = async () => {
    while ((await bookBySql(pool, BOOKING_BATCH)) > 0);
  };
  try {
    return await measure(scene.superuser, () => pgbench(options), bookRest);
  } finally {
    await pool.end();
  }
}

/** Makes transfers for so long, until the last one is booked. */
export async function warmUpAndMeasure(
  { callers, superuser }: Callers,
  make: (wish: Wish) => Promise<void>,
  options: LoadOptions,
): Promise<Measurement> {
  const nextWish = planWishes(callers);
  const request = () => make(nextWish());
  await repeat(request, { ...options, seconds: WARM_UP_SECONDS });
  return await measure(superuser, () => repeat(request, options));
}
