import { createHash, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { BOOK_TRANSFERS } from "@/lib/core/shared/work-names";
import { createPool } from "@/lib/db/pool";
import { systemClock } from "@/lib/platform/clock";
import { newId, newRequestId } from "@/lib/platform/ids";
import { createLog } from "@/lib/platform/log";
import { startWork } from "@/lib/platform/work";
import type { Scene } from "@/proof/bench/arrange";
import {
  type LoadOptions,
  type Measurement,
  measure,
  planWishes,
  repeat,
  type Wish,
} from "@/proof/bench/measurement";

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

/** The statements of the API, from pgbench. What its last claims left is booked here. */
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

/** Makes transfers for this long, until the last one is booked. */
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

const DAY_MS = 86_400_000;

/** The statements of one transfer, and nothing else of the product: the cost of PostgreSQL and `pg` alone. */
async function makeBySql(pool: Pool, wish: Wish): Promise<void> {
  const { caller } = wish;
  const now = systemClock.now();
  const idempotencyKey = randomUUID();
  await pool.query({
    name: "authenticate_api_key",
    text: "select * from authenticate_api_key($1, $2)",
    values: [createHash("sha256").update(caller.keyText).digest(), now],
  });
  await pool.query({
    name: "find_parties",
    text: `select id, name, type, external_account_type as "externalAccountType", deleted_at is not null as "isClosed" from accounts
            where organization_id = $1 and id in ($2, $3)`,
    values: [caller.organizationId, wish.sourceAccountId, wish.destinationAccountId],
  });
  const { rows } = await pool.query<{ outcome: string }>({
    name: "create_transfers",
    text: "select * from write_transfers($1)",
    values: [JSON.stringify([toItem(wish, idempotencyKey, now)])],
  });
  if (rows[0]?.outcome !== "CREATED") throw new Error(`create_transfers answered ${rows[0]?.outcome}`);
}

/** Books what is due; woken after each transfer, like the product's worker. */
export async function bookBySql(pool: Pool, limit: number): Promise<number> {
  const now = systemClock.now();
  const { rows } = await pool.query({
    name: "book_due_transfers",
    text: "select * from book_due_transfers($1, $2)",
    values: [now, Array.from({ length: limit }, () => newId(now))],
  });
  return rows.length;
}

/** As `create-transfer.ts` sends it. */
function toItem({ caller, ...wish }: Wish, idempotencyKey: string, now: Date) {
  const requestId = newRequestId();
  const transfer = {
    id: newId(now),
    status: "PROCESSING",
    executionMode: "LIVE",
    direction: "INTERNAL",
    origin: "API",
    amountInCents: wish.amountInCents,
    description: "bench",
    source: { id: wish.sourceAccountId, name: "Pod 1", type: "POD", isDeleted: false },
    destination: { id: wish.destinationAccountId, name: "Pod 2", type: "POD", isDeleted: false },
    ruleId: null,
    ruleExecutionId: null,
    reasonForApproval: null,
    approvalUrl: null,
    errorCode: null,
    errorMessage: null,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
    expectedCompletionDate: now.toISOString().slice(0, 10),
  };
  const path = "/platform/v1/transfers";
  return {
    organizationId: caller.organizationId,
    apiKeyId: caller.keyId,
    proposedBy: { kind: "API_KEY", id: caller.keyId, name: caller.keyName },
    now,
    transfer: {
      ...transfer,
      sourceAccountId: wish.sourceAccountId,
      destinationAccountId: wish.destinationAccountId,
    },
    request: {
      method: "POST",
      path,
      idempotencyKey,
      calledReason: null,
      body: { ...wish, description: "bench" },
    },
    noticeId: newId(now),
    expiresAt: new Date(now.getTime() + DAY_MS),
    remindAt: now,
    idempotency: {
      operation: "createTransfer",
      path,
      key: idempotencyKey,
      fingerprint: createHash("sha256").update(idempotencyKey).digest("hex"),
      status: 202,
      body: { data: transfer, requestId },
      expiresAt: new Date(now.getTime() + DAY_MS),
    },
    audit: {
      organizationId: caller.organizationId,
      id: newId(now),
      createdAt: now,
      apiKeyId: caller.keyId,
      apiKeyName: caller.keyName,
      method: "POST",
      path,
      action: "CREATE_TRANSFER",
      reason: null,
      requestId,
      outcome: "SUCCESS",
      errorCode: null,
    },
  };
}
