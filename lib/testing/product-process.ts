import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { buildProgram } from "@/lib/testing/embedded-process";
import { waitUntil } from "@/lib/testing/wait-until";

/** A running product: a real process that answers real requests. */
export interface ProductProcess {
  pid: number;
  /** The address of its API, without a trailing slash. */
  apiUrl: string;
  /** `kill -9`, and waits for its end. */
  kill(): Promise<void>;
  /** Asks it to end and does not wait. */
  signal(signal: "SIGINT" | "SIGTERM"): void;
  /** Its exit code, once it has ended; null: a signal ended it. */
  ended: Promise<number | null>;
  /** Everything it logged. */
  logged(): string;
}

interface ProductOptions {
  /** Built by `buildProgram`. */
  program: string;
  dataDirectory: string;
  port: number;
  /** Additional configuration. */
  environment?: Record<string, string>;
}

/** A recovery of the database may come first. */
const OPEN_TIMEOUT_MS = 60_000;
const LAST_ERRORS = 4_000;
const MAXIMUM_OUTPUT = 1_000_000;

/**
 * Starts the product on the embedded database of a folder, without a demo.
 * @returns when it answers requests
 * @throws Error with the end of its error output if it ends before, or is too slow
 */
export async function startProduct({
  program,
  dataDirectory,
  port,
  environment,
}: ProductOptions): Promise<ProductProcess> {
  const child = spawn(process.execPath, ["--enable-source-maps", program], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      SLUICE_DATA_DIR: dataDirectory,
      SLUICE_DEMO: "0",
      LOG_LEVEL: "error",
      // Proofs run on their own database, whatever this shell's environment says.
      DATABASE_URL: "",
      APP_URL: "",
      HOST: "127.0.0.1",
      ...environment,
    },
  });
  let output = "";
  const errors = () => output.slice(-LAST_ERRORS);
  child.stderr?.on("data", (text) => {
    output = `${output}${text}`.slice(-MAXIMUM_OUTPUT);
  });
  const ended = once(child, "exit");
  let isKilled = false;
  // Otherwise a product that ends by itself would show only as refused connections.
  child.once("exit", (code, signal) => {
    if (!isKilled) process.stderr.write(`The product ended by itself (${code ?? signal}).\n${errors()}\n`);
  });
  const kill = async () => {
    isKilled = true;
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  };
  await new Promise<void>((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`The product ${what}.\n${errors()}`));
    // Cleared once it is open: it would end a product that lives longer than its startup limit.
    const timer = setTimeout(() => void kill().then(() => fail("was not open in time")), OPEN_TIMEOUT_MS);
    child.once("message", () => {
      clearTimeout(timer);
      resolve();
    });
    child.once("exit", () => {
      clearTimeout(timer);
      fail("ended before it was open");
    });
  });
  return {
    pid: child.pid ?? 0,
    apiUrl: `http://127.0.0.1:${port}/platform/v1`,
    kill,
    signal: (signal) => {
      isKilled = true;
      child.kill(signal);
    },
    ended: ended.then(() => child.exitCode),
    logged: () => output,
  };
}

/** A port that is free at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  return address.port;
}

export type ProductPair = Awaited<ReturnType<typeof startProductPair>>;

/** Two processes of the product on one embedded database, with the test's own pools. */
export async function startProductPair() {
  const program = await buildProgram("lib/testing/product-process-main.ts");
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-pair-"));
  const engine = await openEmbeddedEngine({ dataDirectory });
  await prepareDatabase(engine);
  const pool = createPool(engine.application);
  const ownerPool = createPool(engine.owner);
  const products: ProductProcess[] = [];
  const close = async () => {
    await Promise.all(products.map((product) => product.kill()));
    await Promise.all([pool.end(), ownerPool.end()]);
    await engine.leave();
    await removeDataDirectory(dataDirectory);
    await program.remove();
  };
  try {
    const start = async () =>
      products.push(await startProduct({ program: program.path, dataDirectory, port: await findFreePort() }));
    await start();
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  const apiUrls = products.map((product) => product.apiUrl);
  return { pool, ownerPool, apiUrls, close };
}

/** Removes an embedded database's folder once its server, which outlives a killed product, writes no more to it. */
export async function removeDataDirectory(dataDirectory: string): Promise<void> {
  await waitUntil("PostgreSQL ends", async () => {
    const pid = await readPostmasterPid(dataDirectory).catch(() => null);
    return pid === null || !(await isRunning(pid));
  });
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
}

/** What the system shows of an embedded server from outside. */

export async function readPostmasterPid(dataDirectory: string): Promise<number> {
  return Number((await readFile(postmasterFile(dataDirectory), "utf8")).split("\n")[0]);
}

export function postmasterFile(dataDirectory: string): string {
  return join(dataDirectory, "postgres/data/postmaster.pid");
}

/** The supervisor is the parent of the server that it started. */
export async function readParentPid(pid: number): Promise<number> {
  return Number(await readProcess(pid, "ppid"));
}

export async function readUserId(pid: number): Promise<number> {
  return Number(await readProcess(pid, "uid"));
}

/** A process that ended but was not reaped by its parent counts as ended. */
export async function isRunning(pid: number): Promise<boolean> {
  const state = await readProcess(pid, "stat").catch(() => "");
  return state !== "" && !state.startsWith("Z");
}

async function readProcess(pid: number, column: string): Promise<string> {
  const { stdout } = await promisify(execFile)("ps", ["-o", `${column}=`, "-p", String(pid)]);
  return stdout.trim();
}
