import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { openDeadline } from "@/lib/platform/deadline";

interface CommandOptions {
  /** Absolute path of the program, which runs without a shell. */
  path: string;
  parameters: readonly string[];
  environment: Record<string, string | undefined>;
  directory: string;
  timeoutMs: number;
  /** Ends it early. */
  signal?: AbortSignal;
}

interface CommandResult {
  /** Null: it succeeded. */
  problem: string | null;
  /** The end of what it printed. */
  output: string;
}

const MAXIMUM_OUTPUT = 4_000;
/** Between asking to end and ending it. */
const GRACE_MS = 10_000;
const REST_OF_OUTPUT_MS = 1_000;

/** Runs a program for a bounded time and keeps the end of its output. What it has started ends with it. */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  const child = spawn(options.path, [...options.parameters], {
    cwd: options.directory,
    env: { NODE_ENV: "production", ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that all of it can be ended.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-MAXIMUM_OUTPUT);
    });
  const deadline = openDeadline(options.timeoutMs, options.signal);
  const onStop = () => endGroup(child);
  deadline.signal.addEventListener("abort", onStop, { once: true });
  if (deadline.signal.aborted) onStop();
  try {
    const problem = await settle(child);
    if (options.signal?.aborted) return { problem: "It was ended because Sluice stopped.", output };
    if (deadline.isOver())
      return { problem: `It took longer than ${options.timeoutMs / 60_000} minutes.`, output };
    return { problem, output };
  } finally {
    deadline.signal.removeEventListener("abort", onStop);
    deadline.close();
  }
}

async function settle(child: ChildProcess): Promise<string | null> {
  try {
    const closed = once(child, "close").catch(() => undefined);
    await once(child, "exit");
    // A program that it left behind may hold its output open.
    await Promise.race([closed, pause(REST_OF_OUTPUT_MS, undefined, { ref: false })]);
  } catch (error) {
    return `It could not be started: ${error instanceof Error ? error.message : String(error)}.`;
  }
  if (child.signalCode) return `It was ended by ${child.signalCode}.`;
  return child.exitCode === 0 ? null : `It ended with ${child.exitCode}.`;
}

function endGroup(child: ChildProcess): void {
  signalGroup(child, "SIGTERM");
  setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS).unref();
}

function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has just ended.
  }
}
