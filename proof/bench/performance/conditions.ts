import { execFile } from "node:child_process";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { promisify } from "node:util";
import { systemClock } from "@/lib/platform/clock";
import { projectPath } from "@/lib/platform/project-path";
import { findPgbench } from "@/proof/bench/pgbench";

/** What the figures depend on besides the product. */
export interface Conditions {
  date: string;
  /** Short, with a word where files differ from it. */
  commit: string;
  processor: string;
  cores: number;
  memoryGib: number;
  node: string;
  /** Null: not installed. */
  pgbench: string | null;
  loadBefore: number;
  loadAfter: number;
  seconds: number;
}

export async function readConditions(loadBefore: number, seconds: number): Promise<Conditions> {
  return {
    date: systemClock.now().toISOString().slice(0, 16).replace("T", " "),
    commit: await readCommit(),
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGib: totalmem() / 2 ** 30,
    node: process.version,
    pgbench: await findPgbench(),
    loadBefore,
    loadAfter: loadavg()[0] ?? 0,
    seconds,
  };
}

async function readCommit(): Promise<string> {
  const git = async (...words: string[]) =>
    (await promisify(execFile)("git", words, { cwd: projectPath(".") })).stdout.trim();
  try {
    const isChanged = (await git("status", "--porcelain", "--untracked-files=no")) !== "";
    return `${await git("rev-parse", "--short", "HEAD")}${isChanged ? ", with changes" : ""}`;
  } catch {
    // Unpacked without git: the figures hold, only their version is not told.
    return "unknown";
  }
}
