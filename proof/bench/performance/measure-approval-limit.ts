import { z } from "zod";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { BOOK_TRANSFERS } from "@/lib/core/shared/work-names";
import { createPool } from "@/lib/db/pool";
import { systemClock } from "@/lib/platform/clock";
import { createLog } from "@/lib/platform/log";
import { startWork } from "@/lib/platform/work";
import { createTestApi } from "@/lib/testing/api";
import { createRealTimeServices } from "@/lib/testing/services";
import { type BarePlan, toBareStatement } from "@/proof/bench/api/bare-plan";
import { createBareRunner } from "@/proof/bench/api/bare-runner";
import { noteStatements, type SentStatement } from "@/proof/bench/api/capture";
import { readKnownIds } from "@/proof/bench/api/capture-calls";
import { bookBySql } from "@/proof/bench/sql-request";
import { readDigest, together, waitUntilComplete } from "./measure-approvals";
import type { Limit } from "./measure-limits";
import type { EngineUnderTest } from "./open-engine";
import type { Askers } from "./world";

const BOOKING_BATCH = 64;
const WARM_UP = 8;
const TIMEOUT_MS = 30_000;
const proposedSchema = z.object({ data: z.object({ id: z.string() }) });

/**
 * The statements of a decision, each with a proposal of its own, and the booking that follows, from a bare loop. pgbench
 * cannot: it does not know which proposals still wait.
 */
export async function measureApprovalLimit(
  engine: EngineUnderTest,
  askers: Askers,
  { count, concurrency }: { count: number; concurrency: number },
): Promise<Limit> {
  const pool = createPool(engine.application);
  const waiting = await propose(pool, askers, count + WARM_UP + 2);
  // The first one makes the route known; the second is what every other is like.
  await capture(engine, askers, waiting.shift() ?? "");
  const first = waiting.shift() ?? "";
  const run = createBareRunner(pool, await capture(engine, askers, first));
  const runBatch = () => bookBySql(pool, BOOKING_BATCH);
  const bookings = { name: BOOK_TRANSFERS, batchSize: BOOKING_BATCH, pollIntervalMs: 250, runBatch };
  const worker = startWork([bookings], createLog("error"));
  const approve = async (proposalId: string) => {
    const startedAt = performance.now();
    await run("decide", new Map([[first, proposalId]]));
    worker.wake(BOOK_TRANSFERS);
    await waitUntilComplete(pool, askers.organizationId, proposalId, startedAt + TIMEOUT_MS);
    return performance.now() - startedAt;
  };
  try {
    await together(waiting.slice(0, WARM_UP), concurrency, approve);
    const startedAt = performance.now();
    await together(waiting.slice(WARM_UP), concurrency, approve);
    return { bare: count / ((performance.now() - startedAt) / 1_000), pgbench: null };
  } finally {
    await worker.stop();
    await pool.end();
  }
}

async function propose(pool: ReturnType<typeof createPool>, askers: Askers, count: number) {
  const call = createTestApi(createRealTimeServices(pool));
  const [sourceAccountId, destinationAccountId] = askers.pods;
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const body = { sourceAccountId, destinationAccountId, amountInCents: 100, reasonForApproval: "bench" };
    const keyText = askers.keyTexts[made % askers.keyTexts.length] ?? "";
    const { body: answer } = await call(keyText, "POST", "/transfers", { body });
    ids.push(proposedSchema.parse(answer).data.id);
  }
  return ids;
}

/** Decides one proposal. @returns what that sent to PostgreSQL */
async function capture(engine: EngineUnderTest, askers: Askers, proposalId: string): Promise<BarePlan> {
  const pool = createPool(engine.application);
  const sent: SentStatement[] = [];
  const digest = await readDigest(pool, askers.organizationId, proposalId);
  const now = systemClock.now();
  const { actor } = askers.owner;
  const result = await decideProposal(
    createRealTimeServices(noteStatements(pool, sent)),
    { ...askers.owner, now, actor: { ...actor, authenticatedAt: now } },
    { proposalId, decision: "APPROVE", digest, note: null, confirmation: { kind: "NONE" } },
  );
  await pool.end();
  if (result.kind !== "DECIDED") throw new Error(`The decision was answered ${result.kind}`);
  const others = (await readKnownIds(engine)).filter((id) => id !== proposalId);
  return {
    keyHashes: [],
    knownIds: [...others, actor.sessionId],
    operations: { decide: sent.map((statement) => toBareStatement(statement, Buffer.alloc(0))) },
  };
}
