import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { projectPath } from "@/lib/platform/project-path";

/** Long enough for a test to observe a server without users, short enough to wait for. */
const GRACE_MS = 300;

/** A real process that uses the embedded database, for tests that kill it. */
export interface EmbeddedProcess {
  pid: number;
  /** Resolves when it has the database; rejects with its error output if it ends before. */
  opened: Promise<void>;
  /** Leaves in order, and waits for its end. */
  leave(): Promise<void>;
  /** `kill -9`, and waits for its end. */
  kill(): Promise<void>;
}

export function buildEmbeddedProgram(): Promise<BuiltProgram> {
  return buildProgram("lib/testing/embedded-process-main.ts");
}

export function runEmbeddedProgram(program: string, dataDirectory: string, env = {}): EmbeddedProcess {
  const child = spawn(process.execPath, [program, dataDirectory, String(GRACE_MS)], {
    stdio: "pipe",
    env: { ...process.env, ...env },
  });
  const ended = once(child, "exit");
  const end = async (action: () => void) => {
    if (child.exitCode === null && child.signalCode === null) action();
    await ended;
  };
  return {
    pid: child.pid ?? 0,
    opened: waitUntilOpen(child),
    leave: () => end(() => child.stdin?.write("leave\n")),
    kill: () => end(() => child.kill("SIGKILL")),
  };
}

async function waitUntilOpen(child: ChildProcess): Promise<void> {
  let errors = "";
  child.stderr?.on("data", (text) => {
    errors += text;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", () => reject(new Error(`The program ended before it was open.\n${errors}`)));
  });
}

export interface BuiltProgram {
  path: string;
  remove(): Promise<void>;
}

/**
 * Bundles a program for its own process as the product is bundled, into a folder at the depth of `.build/`.
 * @param source from the project's root
 */
export async function buildProgram(source: string): Promise<BuiltProgram> {
  const root = dirname(projectPath("package.json"));
  const folder = join(root, ".build", `test-${randomUUID()}`);
  const path = join(folder, `${basename(source, ".ts")}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: path,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    // `server-only` throws outside a React server bundle by design; this is a server.
    alias: { "server-only": "./node_modules/server-only/empty.js" },
    sourcemap: "inline",
    logLevel: "error",
  });
  return { path, remove: () => rm(folder, { recursive: true }) };
}
