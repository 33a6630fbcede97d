import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "@/lib/testing/product-process";
import type { Random } from "@/proof/torture/actors/agent";
import { startTcpProxy, type TcpProxy } from "@/proof/torture/chaos/tcp-proxy";

/** One process of the product behind a proxy that stays while the process comes and goes. */
export interface Product {
  name: string;
  /** Its clients' address: the proxy. */
  url: string;
  hasDashboard: boolean;
  /** Whether it answers requests: it has started, and was not killed. */
  isUp(): boolean;
  proxy: TcpProxy;
  /** `kill -9`. */
  kill(): Promise<void>;
  /**
   * Starts it, and restarts it as a service manager does: without its database it ends by itself.
   * @param clockSkewMs the error of its clock
   */
  start(clockSkewMs: number): Promise<void>;
  /** Kills it for good. */
  close(): Promise<void>;
}

export interface FleetOptions {
  /** Bundled `proof/torture/product-main.ts`. */
  program: string;
  databaseUrl: string;
  secret: string;
  /** Further configuration. */
  environment: Record<string, string>;
  /** For logs and data folders. */
  folder: string;
  /** Called when a process ends without being killed. */
  onUnexpectedEnd: (what: string) => void;
}

const OPEN_TIMEOUT_MS = 60_000;
const MAXIMUM_STARTS = 40;
const BETWEEN_STARTS_MS = 250;
const LOOK_EVERY_MS = 50;

/** By name: a whole product, one that leaves due work to others, and one without pages. */
const ROLES = { whole: "web,api,worker", front: "web,api", work: "api,worker" } as const;

/** Three processes on one database. */
export async function openFleet(options: FleetOptions): Promise<Product[]> {
  const products: Product[] = [];
  for (const [name, roles] of Object.entries(ROLES)) products.push(await openProduct(name, roles, options));
  return products;
}

async function openProduct(name: string, roles: string, options: FleetOptions): Promise<Product> {
  const hasDashboard = roles.includes("web");
  const port = await findFreePort();
  const proxy = await startTcpProxy(() => ({ host: "127.0.0.1", port }));
  const dataDirectory = join(options.folder, name);
  await mkdir(dataDirectory, { recursive: true });
  const log = openSync(join(options.folder, `${name}.log`), "a", 0o600);
  let child: ChildProcess | null = null;
  let isKilled = false;
  let isUp = false;

  function spawnOnce(clockSkewMs: number): ChildProcess {
    return spawn(process.execPath, ["--enable-source-maps", options.program], {
      stdio: ["ignore", log, log, "ipc"],
      env: {
        PATH: process.env.PATH,
        // Where the build is (scripts/build.mjs).
        SLUICE_BUILD_FOLDER: process.env.SLUICE_BUILD_FOLDER,
        NODE_ENV: "production",
        PORT: String(port),
        HOST: "127.0.0.1",
        APP_URL: `http://127.0.0.1:${proxy.port}`,
        DATABASE_URL: options.databaseUrl,
        SLUICE_SECRET: options.secret,
        SLUICE_DATA_DIR: dataDirectory,
        SLUICE_DEMO: "0",
        SLUICE_ROLES: roles,
        WEBHOOK_ALLOW_PRIVATE: "1",
        LOG_LEVEL: "warn",
        TORTURE_CLOCK_SKEW_MS: String(clockSkewMs),
        ...options.environment,
      },
    });
  }

  async function start(clockSkewMs: number): Promise<void> {
    isKilled = false;
    for (let starts = 0; starts < MAXIMUM_STARTS; starts++) {
      const started = spawnOnce(clockSkewMs);
      child = started;
      if (await isOpen(started)) {
        isUp = true;
        started.once("exit", (code, signal) => {
          isUp = false;
          if (!isKilled) options.onUnexpectedEnd(`${name} ended by itself (${code ?? signal})`);
        });
        return;
      }
      if (isKilled) return;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_STARTS_MS));
    }
    throw new Error(`${name} did not start; see its log in ${options.folder}`);
  }

  async function kill(): Promise<void> {
    isKilled = true;
    isUp = false;
    const victim = child;
    if (!victim || victim.exitCode !== null || victim.signalCode !== null) return;
    const ended = once(victim, "exit");
    victim.kill("SIGKILL");
    await ended;
  }

  async function close(): Promise<void> {
    await kill();
    await proxy.close();
    closeSync(log);
  }

  const url = `http://127.0.0.1:${proxy.port}`;
  return { name, url, hasDashboard, isUp: () => isUp, proxy, kill, start, close };
}

/** Of all processes, which a fault may have killed at once. */
const UP_WITHIN_MS = 60_000;

/**
 * The address of one that is up, as a load balancer chooses; while none is, a caller waits instead of knocking. One that
 * never comes back is asked regardless.
 * @param products at least one
 */
export async function pickUp(products: readonly Product[], random: Random): Promise<string> {
  const deadline = performance.now() + UP_WITHIN_MS;
  let up = products.filter((product) => product.isUp());
  while (up.length === 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    up = products.filter((product) => product.isUp());
  }
  const candidates = up.length > 0 ? up : products;
  const picked = candidates[random(0, candidates.length - 1)];
  if (!picked) throw new Error("A fleet has products");
  return picked.url;
}

/** @returns whether it answers requests; false if it ended before, or was too slow */
async function isOpen(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    // Cleared once it is open: it would kill a product that lives longer than its startup limit.
    const timer = setTimeout(() => child.kill("SIGKILL"), OPEN_TIMEOUT_MS);
    const settle = (isAnswering: boolean) => {
      clearTimeout(timer);
      resolve(isAnswering);
    };
    child.once("message", () => settle(true));
    child.once("exit", () => settle(false));
  });
}
