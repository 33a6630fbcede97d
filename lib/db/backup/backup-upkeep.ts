import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import {
  listBackups,
  type RestoreTest,
  readRestoreTest,
  writeRestoreTest,
} from "@/lib/db/backup/backup-folder";
import { handOverBackups } from "@/lib/db/backup/hand-over";
import { runCommand } from "@/lib/db/backup/run-command";
import { createClient } from "@/lib/db/client";
import { systemClock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { projectPath } from "@/lib/platform/project-path";

export interface BackupUpkeepOptions {
  /** Of the live database, which only tells which process does it. */
  connection: pg.ClientConfig;
  backups: Pick<Config["backups"], "directory" | "command" | "isTested">;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** How long a process must have run before its first round: a trial of a moment needs none. */
  firstAfterMs?: number;
  /** Runs the test in a process of its own; another one in tests. */
  runTest?: (signal: AbortSignal) => Promise<{ problem: string | null; output: string }>;
}

export interface BackupUpkeep {
  stop(): Promise<void>;
}

/** "back" and "rest" in ASCII: each is done by one process at a time, and a long test holds up no copy. */
const LOCK_KEYS = { COMMAND: 0x6261636b, TEST: 0x72657374 } as const;
const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
const BETWEEN_TESTS_MS = 7 * DAY_MS;
const TEST_TIMEOUT_MS = 6 * 3_600_000;

/**
 * What happens to backups after they are made, in one process at a time: the operator's command gets those that it has
 * not taken, and once a week the newest is restored in a process and a place of its own.
 */
export function openBackupUpkeep(options: BackupUpkeepOptions): BackupUpkeep {
  const stopping = new AbortController();
  const ended = keepUp(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function keepUp(options: BackupUpkeepOptions, signal: AbortSignal): Promise<void> {
  await pauseUntil(options.firstAfterMs ?? EVERY_MS, signal);
  await Promise.all([
    repeat(options, signal, "COMMAND", () => handOver(options, signal)),
    repeat(options, signal, "TEST", () => testIfDue(options, signal)),
  ]);
}

async function repeat(
  { connection, log }: BackupUpkeepOptions,
  signal: AbortSignal,
  what: keyof typeof LOCK_KEYS,
  round: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await withBackupLock(connection, what, round);
    } catch (err) {
      log.error({ err }, "Backups could not be looked after.");
    }
    await pauseUntil(EVERY_MS, signal);
  }
}

/**
 * Runs `fn` unless another process does the same.
 * @returns null if one does
 */
export async function withBackupLock<T>(
  connection: pg.ClientConfig,
  what: keyof typeof LOCK_KEYS,
  fn: () => Promise<T>,
): Promise<T | null> {
  const client = createClient({ ...connection, application_name: "sluice-backups" });
  await client.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      LOCK_KEYS[what],
    ]);
    return rows[0]?.taken ? await fn() : null;
  } finally {
    await client.end();
  }
}

async function handOver({ backups, log }: BackupUpkeepOptions, signal: AbortSignal): Promise<void> {
  const { directory, command } = backups;
  if (command) await handOverBackups({ directory, command, log, signal }, false);
}

async function testIfDue(options: BackupUpkeepOptions, signal: AbortSignal): Promise<void> {
  const { directory, isTested } = options.backups;
  if (!isTested) return;
  const newest = (await listBackups(directory)).at(-1);
  if (newest && isTestDue(await readRestoreTest(directory), newest.name, systemClock.now()))
    await test(options, signal);
}

/**
 * Once a week; the day after one that did not succeed, if there is a newer backup; at once if the last one was cut off.
 */
export function isTestDue(last: RestoreTest | null, newest: string, now: Date): boolean {
  if (last === null) return true;
  const sinceMs = now.getTime() - last.startedAt.getTime();
  if (last.outcome === "RUNNING") return sinceMs > TEST_TIMEOUT_MS;
  if (sinceMs >= BETWEEN_TESTS_MS) return true;
  return last.outcome !== "SUCCEEDED" && last.backup !== newest && sinceMs >= DAY_MS;
}

async function test(
  { backups, log, runTest = runTestProcess }: BackupUpkeepOptions,
  signal: AbortSignal,
): Promise<void> {
  log.info("The newest backup is being restored for the weekly test.");
  const { problem, output } = await runTest(signal);
  const found = await readRestoreTest(backups.directory);
  if (signal.aborted) return await forget(backups.directory, found);
  // It was killed, or could not begin.
  if (problem !== null && (found === null || found.outcome === "RUNNING"))
    await writeRestoreTest(backups.directory, {
      backup: found?.backup ?? "",
      startedAt: found?.startedAt ?? systemClock.now(),
      endedAt: systemClock.now(),
      problem,
      outcome: "IMPOSSIBLE",
      seconds: null,
      provenBackup: found?.provenBackup ?? null,
      provenAt: found?.provenAt ?? null,
    });
  if (problem === null) log.info("The newest backup can be restored.");
  else log.error({ problem, output }, "The restore test did not succeed.");
}

/** A stop of Sluice says nothing about the backup: the next start tests it. */
async function forget(directory: string, found: RestoreTest | null): Promise<void> {
  if (found?.outcome !== "RUNNING") return;
  await writeRestoreTest(directory, { ...found, startedAt: new Date(0) });
}

/** In a process of its own: what it takes of memory and processor ends with it. */
function runTestProcess(signal: AbortSignal) {
  return runCommand({
    path: process.execPath,
    parameters: [projectPath("scripts/run.mjs"), "restore-test", "--newest"],
    environment: process.env,
    directory: process.cwd(),
    timeoutMs: TEST_TIMEOUT_MS,
    signal,
  });
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
