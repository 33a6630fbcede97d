import { join } from "node:path";
import { createPool } from "@/lib/db/pool";
import type { BarePlan } from "@/proof/bench/api/bare-plan";
import { createBareRunner } from "@/proof/bench/api/bare-runner";
import { captureCalls } from "@/proof/bench/api/capture-calls";
import { type LoadOptions, repeat } from "@/proof/bench/load";
import { findPgbench, preparePgbench } from "@/proof/bench/pgbench";
import { moveBare } from "@/proof/bench/rules/live-runs";
import { measurePgbench, measureSql } from "@/proof/bench/transfer-limits";
import { figuresOf } from "./figures";
import { readings } from "./measure-api";
import type { EngineUnderTest } from "./open-engine";
import { measureByPgbench } from "./pgbench-script";
import type { World } from "./world";

/** How many a second PostgreSQL takes of the same statements, with nothing of the product before it. */
export interface Limit {
  /** From a bare loop in Node. */
  bare: number;
  /** Null: pgbench is not installed, or cannot send them. */
  pgbench: number | null;
}

export interface LimitOptions extends LoadOptions {
  /** For pgbench's scripts and logs. */
  folder: string;
}

const WARM_UP_SECONDS = 0.5;

/** While no process of the product runs. */
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

/** Of every reading, by its name. */
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

/** The rows that a run of one action writes for its money, in one statement each. */
export async function measureRunLimit(
  engine: EngineUnderTest,
  { triggered: { organizationId, rules } }: World,
  options: LoadOptions,
): Promise<Limit> {
  const pool = createPool(engine.owner);
  let count = 0;
  const move = async () => {
    const rule = rules[count++ % rules.length];
    if (rule) await moveBare(pool, organizationId, rule);
  };
  try {
    await repeat(move, { ...options, seconds: WARM_UP_SECONDS });
    return { bare: (await repeat(move, options)).length / options.seconds, pgbench: null };
  } finally {
    await pool.end();
  }
}
