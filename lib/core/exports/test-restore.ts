import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type RestoreProductOptions, restoreProduct } from "@/lib/core/exports/restore-product";
import type { RestoreTest } from "@/lib/db/backup/backup-folder";
import { hold } from "@/lib/db/backup/hold";
import { OtherSecret } from "@/lib/db/backup/read-backup";
import { openEngine } from "@/lib/db/database";
import { isAlive } from "@/lib/db/embedded-place";
import type { Engine } from "@/lib/db/engine";
import { WrongKey } from "@/lib/platform/age";
import { systemClock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { readFreeDiskSpace } from "@/lib/platform/free-disk-space";

export interface RestoreTestOptions
  extends Pick<RestoreProductOptions, "path" | "secret" | "previousSecret" | "identities"> {
  config: Pick<Config, "dataDirectory" | "postgresBin" | "auditArchives">;
  say: (line: string) => void;
  /** What must stay free on the disk of the data folder; another bound in tests. */
  reserveBytes?: number;
}

type Outcome = Pick<RestoreTest, "outcome" | "problem" | "seconds">;

const PREFIX = "restore-test-";
/** Measured: a backup of 311 MB became 3.6 GB. */
const GROWTH = 15;
const RESERVE_BYTES = 1024 * 1024 * 1024;
const LOOK_EVERY_MS = 1_000;

/**
 * Restores a backup into an embedded PostgreSQL of its own in the data folder, verifies its rows, books and audit log,
 * and removes it again. Never touches another database. It does not begin without room, and ends when the disk gets
 * short.
 * @returns whether the backup can be restored; `IMPOSSIBLE`: nothing was learned about it
 */
export async function testRestore(options: RestoreTestOptions): Promise<Outcome> {
  const { config, path, say, reserveBytes = RESERVE_BYTES } = options;
  const startedAt = performance.now();
  const scratch = join(config.dataDirectory, `${PREFIX}${process.pid}`);
  const release = await hold(path);
  let isShort = false;
  try {
    await removeLeftovers(config.dataDirectory);
    const needed = (await stat(path)).size * GROWTH + reserveBytes;
    const free = (await readFreeDiskSpace(config.dataDirectory)) ?? 0;
    if (free < needed)
      return impossible(
        `It needs about ${megabytes(needed)} MB in ${config.dataDirectory}; ${megabytes(free)} are free.`,
      );
    await mkdir(scratch, { mode: 0o700 });
    const engine = await openScratch(scratch, config);
    if (typeof engine === "string") return impossible(engine);
    const watch = setInterval(() => {
      void readFreeDiskSpace(scratch).then((bytes) => {
        if (bytes === null || bytes >= reserveBytes || isShort) return;
        isShort = true;
        // The restore fails with it.
        void engine.leave();
      });
    }, LOOK_EVERY_MS);
    try {
      await restoreProduct({
        engine,
        path,
        secret: options.secret,
        previousSecret: options.previousSecret,
        identities: options.identities,
        clock: systemClock,
        archives: config.auditArchives.directory,
        hold: true,
        acceptProblems: false,
        say,
      });
    } finally {
      clearInterval(watch);
      await engine.leave();
    }
    return { outcome: "SUCCEEDED", problem: null, seconds: (performance.now() - startedAt) / 1_000 };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    if (isShort) return impossible(`The disk of ${config.dataDirectory} was getting full.`);
    // The server may hold no private key on purpose, and the secret may have been replaced since.
    if (error instanceof WrongKey || error instanceof OtherSecret) return impossible(words);
    return { outcome: "FAILED", problem: words, seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    await release();
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @returns what is in the way, as on a platform without binaries, which says nothing about the backup */
async function openScratch(
  dataDirectory: string,
  { postgresBin }: Pick<Config, "postgresBin">,
): Promise<Engine | string> {
  try {
    return await openEngine({
      databaseUrl: null,
      databaseAppRole: null,
      secret: null,
      dataDirectory,
      postgresBin,
    });
  } catch (error) {
    return `No PostgreSQL for the test: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Of killed processes. */
async function removeLeftovers(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)$`).exec(basename(name))?.[1];
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      await rm(join(dataDirectory, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

const impossible = (problem: string): Outcome => ({ outcome: "IMPOSSIBLE", problem, seconds: null });
const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000);
