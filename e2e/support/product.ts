import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { type DemoDescription, demoDescriptionSchema } from "@/lib/contract/demo";

export interface Product {
  url: string;
  /** On this machine, also if a proxy is in front of it. */
  port: number;
  dataDirectory: string;
  process: ChildProcess;
  /** Everything it has printed. */
  printed: () => string;
  stop: (signal?: NodeJS.Signals) => Promise<void>;
}

const START_TIMEOUT_MS = 180_000;

/**
 * The variable with the file that keeps products' output once they are open, for failed journeys (e2e/support/product-log.ts).
 */
export const PRODUCT_LOG = "E2E_PRODUCT_LOG";

export interface StartOptions {
  /** The public address, if a proxy is in front of it. */
  appUrl?: string;
  /** Receives a function that kills it, before it is open. */
  onSpawn?: (stop: () => Promise<void>) => void;
  /** Additional configuration. */
  environment?: Record<string, string>;
  /** Options for Node itself, such as a probe to load. */
  nodeArguments?: readonly string[];
  /** A command that starts Node, such as a shell that joins a control group first. */
  starter?: readonly string[];
  /** Through `npm start`, as people and service managers start it: `process` is npm then. */
  isThroughNpm?: boolean;
}

/** Starts the product as the README says, and resolves when it answers. */
export async function startProduct(
  dataDirectory: string,
  port?: number,
  { appUrl, onSpawn, environment, nodeArguments = [], starter = [], isThroughNpm = false }: StartOptions = {},
): Promise<Product> {
  const chosenPort = port ?? (await freePort());
  const url = appUrl ?? `http://localhost:${chosenPort}`;
  const [program = process.execPath, ...parameters] = isThroughNpm
    ? ["npm", "start"]
    : [...starter, process.execPath, ...nodeArguments, "scripts/start.mjs"];
  const child = spawn(program, parameters, {
    env: {
      ...process.env,
      PORT: String(chosenPort),
      APP_URL: url,
      SLUICE_DATA_DIR: dataDirectory,
      // Journeys run on their own database, whatever this shell's environment says.
      DATABASE_URL: "",
      LOG_LEVEL: "warn",
      NODE_ENV: "production",
      ...environment,
    },
    // The channel is for loaded probes; the product itself does not use it.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  const log = process.env[PRODUCT_LOG];
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    await ended;
  };
  onSpawn?.(stop);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`It did not start in time:\n${output}`)),
      START_TIMEOUT_MS,
    );
    let isOpen = false;
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      // Not its startup output, which contains the demo's passwords.
      if (isOpen && log) appendFileSync(log, chunk);
      if (isOpen || !output.includes("Sluice is open at")) return;
      isOpen = true;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    void ended.then(() => {
      clearTimeout(timer);
      reject(new Error(`It ended:\n${output}`));
    });
  });
  return { url, port: chosenPort, dataDirectory, process: child, printed: () => output, stop };
}

/** Address, sign-ins and key of the demo organization. */
export async function readDemo(dataDirectory: string): Promise<DemoDescription> {
  return demoDescriptionSchema.parse(JSON.parse(await readFile(join(dataDirectory, "demo.json"), "utf8")));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "localhost", () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === "object") resolve(address.port);
        else reject(new Error("No free port"));
      });
    });
  });
}
