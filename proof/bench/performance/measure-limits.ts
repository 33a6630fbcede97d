import { join } from "node:path";
import { z } from "zod";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import { createPool } from "@/lib/db/pool";
import { systemClock } from "@/lib/platform/clock";
import { createTestApi } from "@/lib/testing/api";
import { createRealTimeServices } from "@/lib/testing/services";
import {
  type BarePlan,
  createBareRunner,
  noteStatements,
  type SentStatement,
  toBareStatement,
} from "@/proof/bench/api/bare-runner";
import { captureCalls, readKnownIds } from "@/proof/bench/api/calls";
import { type LoadOptions, repeat } from "@/proof/bench/measurement";
import { figuresOf } from "@/proof/bench/performance/figures";
import { readings } from "@/proof/bench/performance/measure-api";
import { readDigest, together, waitUntilComplete } from "@/proof/bench/performance/measure-approvals";
import type { EngineUnderTest } from "@/proof/bench/performance/open-engine";
import { measureByPgbench } from "@/proof/bench/performance/pgbench-script";
import type { Requesters, World } from "@/proof/bench/performance/world";
import { findPgbench, preparePgbench } from "@/proof/bench/pgbench";
import { moveBare, pick } from "@/proof/bench/rules/live-runs";
import { measurePgbench, measureSql } from "@/proof/bench/transfer-limits";

/** How many of the same statements PostgreSQL handles a second, without the product in front of it. */
export interface Limit {
  /** From a bare loop in Node. */
  bare: number;
  /** Null: pgbench is not installed, or cannot send them. */
  pgbench: number | null;
}

interface LimitOptions extends LoadOptions {
  /** For pgbench's scripts and logs. */
  folder: string;
}

const WARM_UP_SECONDS = 0.5;

/** Measured while no process of the product runs. */
export async function measureTransferLimit(
  engine: EngineUnderTest,
  { callers }: World,
  options: LimitOptions,
): Promise<Limit> {
  const scene = { ...engine, callers };
  const bare = figuresOf(await measureSql(scene, options)).completedPerSecond;
  const pgbench = await preparePgbench(scene, join(options.folder, "transfers"));
  if (!pgbench) return { bare, pgbench: null };
  return { bare, pgbench: figuresOf(await measurePgbench(scene, pgbench, options)).completedPerSecond };
}

/** Of every read, by its name. */
export async function measureReadingLimits(
  engine: EngineUnderTest,
  { lists }: World,
  options: LimitOptions,
): Promise<Map<string, Limit>> {
  const calls = Object.entries(readings(lists));
  const plan = await captureCalls(engine, lists, calls);
  const hasPgbench = (await findPgbench()) !== null;
  const limits = new Map<string, Limit>();
  for (const [operation] of calls) {
    const bare = await measureBare(engine, plan, operation, options);
    const runs = hasPgbench ? await measureByPgbench(engine, { ...options, plan, operation }, options) : null;
    limits.set(operation, { bare, pgbench: runs && runs.length / Math.ceil(options.seconds) });
  }
  return limits;
}

async function measureBare(
  engine: EngineUnderTest,
  plan: BarePlan,
  operation: string,
  options: LimitOptions,
): Promise<number> {
  const pool = createPool(engine.application);
  const run = createBareRunner(pool, plan);
  const send = async () => {
    await run(operation);
  };
  try {
    await repeat(send, { ...options, seconds: WARM_UP_SECONDS });
    return (await repeat(send, options)).length / options.seconds;
  } finally {
    await pool.end();
  }
}

/** The rows that a run of one action writes for its money, each in one statement. */
export async function measureRunLimit(
  engine: EngineUnderTest,
  { triggered }: World,
  options: LoadOptions,
): Promise<Limit> {
  const pool = createPool(engine.owner);
  let count = 0;
  const move = async () => {
    await moveBare(pool, pick(triggered, count++));
  };
  try {
    await repeat(move, { ...options, seconds: WARM_UP_SECONDS });
    return { bare: (await repeat(move, options)).length / options.seconds, pgbench: null };
  } finally {
    await pool.end();
  }
}

const WARM_UP = 8;
const TIMEOUT_MS = 30_000;
const proposedSchema = z.object({ data: z.object({ id: z.string() }) });

/**
 * The statements of a decision, which books the transfer, each with its own proposal, from a bare loop. pgbench cannot do
 * this: it does not know which proposals still wait.
 */
export async function measureApprovalLimit(
  engine: EngineUnderTest,
  requesters: Requesters,
  { count, concurrency }: { count: number; concurrency: number },
): Promise<Limit> {
  const pool = createPool(engine.application);
  const waiting = await propose(pool, requesters, count + WARM_UP + 2);
  // The first one warms the route up; the second is representative.
  await capture(engine, requesters, waiting.shift() ?? "");
  const first = waiting.shift() ?? "";
  const run = createBareRunner(pool, await capture(engine, requesters, first));
  const approve = async (proposalId: string) => {
    const startedAt = performance.now();
    await run("decide", new Map([[first, proposalId]]));
    await waitUntilComplete(pool, requesters.organizationId, proposalId, startedAt + TIMEOUT_MS);
    return performance.now() - startedAt;
  };
  try {
    await together(waiting.slice(0, WARM_UP), concurrency, approve);
    const startedAt = performance.now();
    await together(waiting.slice(WARM_UP), concurrency, approve);
    return { bare: count / ((performance.now() - startedAt) / 1_000), pgbench: null };
  } finally {
    await pool.end();
  }
}

async function propose(pool: ReturnType<typeof createPool>, requesters: Requesters, count: number) {
  const call = createTestApi(createRealTimeServices(pool));
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const route = requesters.routes[made % requesters.routes.length];
    const body = { ...route, amountInCents: 100, reasonForApproval: "bench" };
    const keyText = requesters.keyTexts[made % requesters.keyTexts.length] ?? "";
    const { body: answer } = await call(keyText, "POST", "/transfers", { body });
    ids.push(proposedSchema.parse(answer).data.id);
  }
  return ids;
}

/** Decides one proposal. @returns the statements that it sent to PostgreSQL */
async function capture(
  engine: EngineUnderTest,
  requesters: Requesters,
  proposalId: string,
): Promise<BarePlan> {
  const pool = createPool(engine.application);
  const sent: SentStatement[] = [];
  const digest = await readDigest(pool, requesters.organizationId, proposalId);
  const now = systemClock.now();
  const { actor } = requesters.owner;
  const result = await decideProposal(
    createRealTimeServices(noteStatements(pool, sent)),
    { ...requesters.owner, now, actor: { ...actor, authenticatedAt: now } },
    { proposalId, decision: "APPROVE", digest, note: null, confirmation: { kind: "NONE" } },
  );
  await pool.end();
  if (result.kind !== "DECIDED") throw new Error(`The decision was answered ${result.kind}`);
  const others = (await readKnownIds(engine)).filter((id) => id !== proposalId);
  return {
    keyHashes: [],
    knownIds: [...others, actor.sessionId],
    operations: { decide: sent.map((statement) => toBareStatement(statement, null)) },
  };
}
