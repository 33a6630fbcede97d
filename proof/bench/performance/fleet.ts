import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort, type ProductProcess, startProduct } from "@/lib/testing/product-process";
import type { EngineUnderTest } from "./open-engine";

export const SETUPS = ["one", "split"] as const;
/** `one`: one process with every role. `split`: two with pages and API, and a worker apart. */
export type Setup = (typeof SETUPS)[number];

const ROLES: Record<Setup, readonly string[]> = {
  one: ["web,api,worker"],
  split: ["web,api", "web,api", "worker"],
};

const RECONCILIATION_TIMEOUT_MS = 120_000;
const POLL_MS = 200;

export interface Fleet {
  /** Of the processes that answer requests, without a trailing slash. */
  urls: string[];
  /** Per process, in MiB, the worker last. */
  residentMib(): Promise<number[]>;
  kill(): Promise<void>;
  signal(signal: "SIGUSR2"): void;
  /** Tells each to end, and waits for it. */
  stop(): Promise<void>;
}

/** Starts the processes of a setup. @param program the bundled product with its dashboard */
export async function startFleet(engine: EngineUnderTest, setup: Setup, program: string): Promise<Fleet> {
  const processes: { product: ProductProcess; url: string; roles: string }[] = [];
  const kill = async () => {
    await Promise.all(processes.map(({ product }) => product.kill()));
  };
  try {
    // One after the other: the first looks after the schema.
    for (const roles of ROLES[setup]) {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}`;
      const environment = {
        ...engine.environment,
        APP_URL: url,
        SLUICE_ROLES: roles,
        WEBHOOK_ALLOW_PRIVATE: "1",
      };
      const { SLUICE_DATA_DIR: dataDirectory = "" } = engine.environment;
      const product = await startProduct({ program, dataDirectory, port, environment });
      processes.push({ product, url, roles });
    }
    await waitUntilReconciled(engine);
  } catch (error) {
    await kill();
    throw error;
  }
  return {
    urls: processes.filter(({ roles }) => roles.includes("api")).map(({ url }) => url),
    residentMib: () => Promise.all(processes.map(({ product }) => residentMibOf(product.pid))),
    kill,
    signal: (signal) => {
      for (const { product } of processes) process.kill(product.pid, signal);
    },
    stop: async () => {
      for (const { product } of processes) product.signal("SIGTERM");
      await Promise.all(processes.map(({ product }) => product.ended));
    },
  };
}

/** A start reconciles all organizations that are due, and hundreds were just made. */
export async function waitUntilReconciled({ superuser }: EngineUnderTest): Promise<void> {
  const deadline = performance.now() + RECONCILIATION_TIMEOUT_MS;
  for (;;) {
    const { rows } = await superuser.query(
      `select from organizations o left join reconciliations r on r.organization_id = o.id
        where r.organization_id is null or r.lease_token is not null
          or r.due_at <= now() + o.clock_offset_ms * interval '1 millisecond' limit 1`,
    );
    if (rows.length === 0) return;
    if (performance.now() > deadline) throw new Error("New organizations were not reconciled in time");
    await pause(POLL_MS);
  }
}

async function residentMibOf(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) / 1024;
}
