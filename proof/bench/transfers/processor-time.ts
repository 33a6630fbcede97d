import { readdir, readFile } from "node:fs/promises";
import type { Client } from "pg";

/** Processor time since a start, in milliseconds, user and system. */
export interface ProcessorTime {
  /** The server with all its processes, those that ended included. */
  postgresMs: number;
  /** All processes of the product. */
  nodeMs: number;
  /** The load's client, a program of its own or this process. */
  clientMs: number;
}

/** Of Linux, in whose unit `/proc` counts. */
const TICK_MS = 10;

/** @returns null where there is no `/proc` */
export async function readProcessorTime(
  superuser: Client,
  products: readonly number[],
): Promise<ProcessorTime | null> {
  const { rows } = await superuser.query<{ pid: number }>("select pg_backend_pid() as pid");
  const backend = await readTimes(rows[0]?.pid ?? 0);
  if (!backend) return null;
  const own = await readTimes(process.pid);
  const server = await readTimes(backend.parent);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = await Promise.all(pids.map(readTimes));
  const backends = processes.filter((one) => one?.parent === backend.parent);
  const nodes = await Promise.all(products.map(readTimes));
  const sum = (all: readonly (Times | null)[]) => all.reduce((total, one) => total + (one?.ownMs ?? 0), 0);
  return {
    postgresMs: (server?.ownMs ?? 0) + (server?.endedChildrenMs ?? 0) + sum(backends),
    nodeMs: sum(nodes),
    clientMs: (own?.ownMs ?? 0) + (own?.endedChildrenMs ?? 0),
  };
}

/** @param requests to divide by */
export function perRequest(
  before: ProcessorTime | null,
  after: ProcessorTime | null,
  requests: number,
): ProcessorTime | null {
  if (!before || !after || requests === 0) return null;
  return {
    postgresMs: (after.postgresMs - before.postgresMs) / requests,
    nodeMs: (after.nodeMs - before.nodeMs) / requests,
    clientMs: (after.clientMs - before.clientMs) / requests,
  };
}

interface Times {
  parent: number;
  ownMs: number;
  /** Of children that ended and were waited for. */
  endedChildrenMs: number;
}

/** Null: the process has ended, or there is no `/proc`. */
async function readTimes(pid: number): Promise<Times | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  // The name in parentheses may contain anything; the fields after it begin with the state.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const at = (index: number) => Number(fields[index] ?? 0) * TICK_MS;
  return { parent: Number(fields[1]), ownMs: at(11) + at(12), endedChildrenMs: at(13) + at(14) };
}
