import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@/lib/platform/config";
import type { Measurement } from "@/proof/bench/measurement";

/** One way of making transfers, as displayed. */
export interface ResultRow {
  name: string;
  transfers: number;
  acceptedPerSecond: number;
  /** Over the time until the last one was completed. */
  completedPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  roundTripsPerTransfer: number;
  /** PostgreSQL's own time for all statements of one transfer, without waiting for the disk. */
  databaseMsPerTransfer: number;
}

export function summarize(name: string, measured: Measurement): ResultRow {
  const { latenciesMs, seconds, drainSeconds, statements } = measured;
  const sorted = [...latenciesMs].sort((left, right) => left - right);
  const percentile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  const transfers = sorted.length;
  const total = (of: (statement: (typeof statements)[number]) => number) =>
    statements.reduce((sum, statement) => sum + of(statement), 0);
  return {
    name,
    transfers,
    acceptedPerSecond: transfers / seconds,
    completedPerSecond: transfers / (seconds + drainSeconds),
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    roundTripsPerTransfer: total(({ calls }) => calls) / transfers,
    databaseMsPerTransfer: total(({ calls, meanMs }) => calls * meanMs) / transfers,
  };
}

/** Where PostgreSQL spends its time. */
export function renderStatements({ statements, latenciesMs }: Measurement): string {
  return statements
    .filter(({ calls }) => calls > latenciesMs.length / 1000)
    .map(({ text, calls, meanMs }) => {
      const perTransfer = (calls / latenciesMs.length).toFixed(2);
      return `    ${perTransfer.padStart(6)} ×  ${meanMs.toFixed(3)} ms  ${text.slice(0, 80)}`;
    })
    .join("\n");
}

/** Where benchmarks work and leave their figures; created if missing. */
export async function benchFolder(): Promise<string> {
  const folder = join(loadConfig(process.env).dataDirectory, "bench");
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Writes the measurements, with the machine and its load, and prints where. @param name of the file */
export async function saveReport(name: string, results: object, conditions: object): Promise<void> {
  const machine = { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version };
  const path = join(await benchFolder(), name);
  await writeFile(path, `${JSON.stringify({ machine, conditions, ...results }, null, 2)}\n`);
  process.stdout.write(`\n${JSON.stringify({ machine, conditions })}\nAll of it: ${path}\n`);
}
