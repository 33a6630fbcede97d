import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/** A running product: a real process that answers real requests. */
export interface ProductProcess {
  pid: number;
  /** Where its API is, without a trailing slash. */
  apiUrl: string;
  /** `kill -9`, and waits for its end. */
  kill(): Promise<void>;
  /** Tells it to end and does not wait. */
  signal(signal: "SIGINT" | "SIGTERM"): void;
  /** Its exit code, once it has ended; null: a signal ended it. */
  ended: Promise<number | null>;
  /** All that it logged. */
  logged(): string;
}

export interface ProductOptions {
  /** Made by `buildProgram`. */
  program: string;
  dataDirectory: string;
  port: number;
  /** Configuration besides. */
  environment?: Record<string, string>;
}

/** A recovery of the database may come first. */
const OPEN_TIMEOUT_MS = 60_000;
const LAST_ERRORS = 4_000;
const MAXIMUM_OUTPUT = 1_000_000;

/**
 * Starts the product on the embedded database of a folder, without a demo.
 * @returns when it answers requests.
 * @throws Error with the end of its error output, when it ends before or is too slow.
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
      // Proofs run on a database of their own, whatever this shell is set up for.
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
  // A product that ends by itself would otherwise show as connections that are refused, and nothing more.
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
    // Cleared once it is open: it would end a product that lives longer than it may take to open.
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

/** A port that nobody listens on at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  return address.port;
}
