import { join } from "node:path";
import type { Logger } from "pino";
import { type HandOver, listBackups, readHandOver, writeHandOver } from "@/lib/db/backup/backup-folder";
import { hold } from "@/lib/db/backup/hold";
import { runCommand } from "@/lib/db/backup/run-command";
import { systemClock } from "@/lib/platform/clock";
import { type Config, withoutSecrets } from "@/lib/platform/config";

export interface HandOverOptions {
  /** SLUICE_BACKUP_DIR. */
  directory: string;
  /** SLUICE_BACKUP_COMMAND. */
  command: NonNullable<Config["backups"]["command"]>;
  log: Pick<Logger, "info" | "error">;
  signal?: AbortSignal;
}

const MAXIMUM_AT_ONCE = 100;
const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 3_600_000;

/**
 * Gives each backup in the folder to the operator's command, oldest first, one at a time; those from before there was a
 * command are left out, except the newest. Run it in one process at a time.
 * @param isAtOnce does not wait until a failed attempt is due again
 * @returns what is wrong with the one that could not be given; null if there is none left
 */
export async function handOverBackups(options: HandOverOptions, isAtOnce: boolean): Promise<string | null> {
  const { directory } = options;
  const names = (await listBackups(directory)).map(({ name }) => name);
  if (names.length === 0) return null;
  const known = await readHandOver(directory);
  let state: HandOver = known ?? {
    done: names.slice(0, -1),
    attempts: 0,
    lastAttemptAt: null,
    problem: null,
    failures: 0,
    lastSuccessAt: null,
  };
  state = { ...state, done: state.done.filter((name) => names.includes(name)) };
  const waiting = names.filter((name) => !state.done.includes(name)).slice(0, MAXIMUM_AT_ONCE);
  for (const name of waiting) {
    if (!isAtOnce && !isDue(state)) return state.problem;
    const attempted = await handOver(options, name);
    if (options.signal?.aborted) return null;
    state = after(state, name, attempted);
    await writeHandOver(directory, state);
    if (state.problem !== null) return state.problem;
  }
  return null;
}

/** Gives one file to the command. @returns what is wrong; null if it succeeded */
export async function handOverFile(
  options: Omit<HandOverOptions, "directory">,
  path: string,
): Promise<string | null> {
  const release = await hold(path);
  try {
    const { problem, output } = await runCommand({
      path: options.command.path,
      parameters: [path],
      environment: { ...withoutSecrets(process.env), SLUICE_BACKUP_FILE: path },
      directory: "/",
      timeoutMs: options.command.timeoutMs,
      signal: options.signal,
    });
    if (problem === null) options.log.info({ path, output }, "The backup command has taken a backup.");
    else if (!options.signal?.aborted)
      options.log.error({ path, problem, output }, "The backup command failed and will be run again.");
    return problem;
  } finally {
    await release();
  }
}

const handOver = (options: HandOverOptions, name: string) =>
  handOverFile(options, join(options.directory, name));

function after(state: HandOver, name: string, problem: string | null): HandOver {
  const now = systemClock.now();
  return problem === null
    ? {
        ...state,
        done: [...state.done, name],
        attempts: 0,
        lastAttemptAt: now,
        problem: null,
        lastSuccessAt: now,
      }
    : { ...state, attempts: state.attempts + 1, lastAttemptAt: now, problem, failures: state.failures + 1 };
}

function isDue({ attempts, lastAttemptAt }: HandOver): boolean {
  if (attempts === 0 || lastAttemptAt === null) return true;
  const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS);
  return systemClock.now().getTime() - lastAttemptAt.getTime() >= pauseMs;
}

interface HandOverFigures {
  /** Since when the oldest backup waits for the command, in milliseconds; 0: none does. */
  waitingMs: number;
  failures: number;
}

/** For the metrics. */
export async function readHandOverFigures(directory: string): Promise<HandOverFigures> {
  const backups = await listBackups(directory);
  const state = await readHandOver(directory);
  const done = new Set(state?.done ?? backups.slice(0, -1).map(({ name }) => name));
  const [oldest] = backups.filter(({ name }) => !done.has(name));
  return {
    waitingMs: oldest ? Math.max(0, systemClock.now().getTime() - oldest.at.getTime()) : 0,
    failures: state?.failures ?? 0,
  };
}
