import { createHash, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { BOOK_TRANSFERS } from "@/lib/core/shared/work-names";
import { findParties } from "@/lib/core/transfers/find-parties";
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
  const worker = startWork([bookingsOf(pool)], createLog("error"));
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

/** How `measureGroups` forms its groups. */
interface Groups {
  size: number;
  /** Whether every transfer of an organization leaves the same account. */
  isOneSource: boolean;
  /** Whether they are proposals that wait for a person. */
  isWaiting: boolean;
}

/**
 * The writes of the product in groups, as `group-statements.ts` sends them, and the bookings that follow, from a bare loop.
 * @param options `concurrency`: groups at a time. Latencies are those of groups, once per transfer.
 */
export async function measureGroups(
  scene: Callers,
  groups: Groups,
  options: LoadOptions,
): Promise<Measurement> {
  const pool = createPool(scene.application);
  const worker = startWork([bookingsOf(pool)], createLog("error"));
  const nextWish = planWishes(scene.callers);
  const latenciesMs: number[] = [];
  const writeGroup = async () => {
    const startedAt = performance.now();
    const wishes = Array.from({ length: groups.size }, nextWish).map((wish) => {
      const [first = wish.sourceAccountId, second = wish.destinationAccountId] = wish.caller.pods;
      return groups.isOneSource ? { ...wish, sourceAccountId: first, destinationAccountId: second } : wish;
    });
    await writeBySql(pool, wishes, groups.isWaiting);
    worker.wake(BOOK_TRANSFERS);
    const tookMs = performance.now() - startedAt;
    for (const _ of wishes) latenciesMs.push(tookMs);
  };
  try {
    await repeat(writeGroup, { ...options, seconds: WARM_UP_SECONDS });
    latenciesMs.length = 0;
    return await measure(scene.superuser, async () => {
      await repeat(writeGroup, options);
      return latenciesMs;
    });
  } finally {
    await worker.stop();
    await pool.end();
  }
}

function bookingsOf(pool: Pool) {
  const runBatch = () => bookBySql(pool, BOOKING_BATCH);
  return { name: BOOK_TRANSFERS, batchSize: BOOKING_BATCH, pollIntervalMs: 250, runBatch };
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
  const keyHash = createHash("sha256").update(caller.keyText).digest("hex");
  await pool.query({
    name: "authenticate_api_keys",
    text: "select * from authenticate_api_keys($1)",
    values: [JSON.stringify([{ keyHash, now }])],
  });
  const { organizationId, keyId } = caller;
  await findParties({ pool }, { organizationId, actor: { id: keyId }, now }, wish);
  await writeBySql(pool, [wish]);
}

/** Sorted like the product's groups, so that two of them cannot deadlock. */
async function writeBySql(pool: Pool, wishes: readonly Wish[], isWaiting = false): Promise<void> {
  const now = systemClock.now();
  const keyOf = ({ caller, sourceAccountId }: Wish) => `${caller.organizationId} ${sourceAccountId}`;
  const items = [...wishes]
    .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
    .map((wish) => toItem(wish, randomUUID(), now))
    .map((item) => (isWaiting ? toProposal(item, now) : item));
  const { rows } = await pool.query<{ outcome: string }>({
    name: "create_transfers",
    text: "select * from create_transfers($1)",
    values: [JSON.stringify(items)],
  });
  const other = rows.find(({ outcome }) => outcome !== "CREATED");
  if (other || rows.length !== items.length) throw new Error(`create_transfers answered ${other?.outcome}`);
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

/** Of a key that asks each time. */
function toProposal(item: ReturnType<typeof toItem>, now: Date) {
  const { path } = item.audit;
  return {
    ...item,
    transfer: { ...item.transfer, status: "APPROVAL_PENDING" },
    request: { method: "POST", path, body: item.transfer },
    noticeId: newId(now),
    expiresAt: new Date(now.getTime() + DAY_MS),
    remindAt: now,
    aboveCap: null,
  };
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
  const source = { id: wish.sourceAccountId, name: "Pod 1", type: "POD", isDeleted: false };
  const destination = { id: wish.destinationAccountId, name: "Pod 2", type: "POD", isDeleted: false };
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
    idempotency: {
      operation: "createTransfer",
      path,
      key: idempotencyKey,
      fingerprint: createHash("sha256").update(idempotencyKey).digest("hex"),
      status: 202,
      body: { data: { ...transfer, source, destination }, requestId },
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
