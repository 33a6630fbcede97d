import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { syncPath } from "@/lib/db/archive/copy-cluster";
import { isHeld } from "@/lib/db/backup/hold";
import { systemClock } from "@/lib/platform/clock";
import { hasCode } from "@/lib/platform/error-code";

/** PostgreSQL's default, with which initdb makes our clusters. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;
const SEGMENTS_PER_LOG = 256;
/** A complete segment, and the one that is being written. */
export const COMPLETE = ".gz";
export const PARTIAL = ".partial";
/** Follows the ending of an encrypted file. */
export const ENCRYPTED = ".age";
const FACTS = "copy.json";
const HALF_MADE = "half-made-";
const SEGMENT = /^[0-9A-F]{24}/;

const factsSchema = z.object({
  systemId: z.string(),
  timeline: z.number().int(),
  firstSegment: z.string().regex(/^[0-9A-F]{24}$/),
  stopLsn: z.string(),
  stoppedAt: z.coerce.date(),
  byteLength: z.number(),
  isEncrypted: z.boolean().default(false),
});

/** A complete copy of the cluster's folder in the archive. */
export type BaseCopy = z.infer<typeof factsSchema> & { path: string };

/** Position in the log; PostgreSQL writes it as `1A/2B00`. */
export function readLsn(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** The name of the segment that holds a position. */
export function segmentName(timeline: number, position: bigint): string {
  const number = position / BigInt(SEGMENT_BYTES);
  const parts = [BigInt(timeline), number / BigInt(SEGMENTS_PER_LOG), number % BigInt(SEGMENTS_PER_LOG)];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(8, "0")).join("");
}

/** How often its cluster had been promoted. */
export function segmentTimeline(name: string): number {
  return Number.parseInt(name.slice(0, 8), 16);
}

/** Where a segment begins. */
export function segmentStart(name: string): bigint {
  const [log, segment] = [name.slice(8, 16), name.slice(16, 24)];
  return (BigInt(`0x${log}`) * BigInt(SEGMENTS_PER_LOG) + BigInt(`0x${segment}`)) * BigInt(SEGMENT_BYTES);
}

/** The parts of the folder of SLUICE_ARCHIVE_DIR. It holds all data of every organization: only its owner reads it. */
export function archiveParts(directory: string) {
  return {
    wal: join(directory, "wal"),
    base: join(directory, "base"),
    /** Held while a restore reads it. */
    reading: join(directory, "archive"),
    /** Its time: until when the archive is complete. */
    until: join(directory, "until"),
  };
}

/** Creates the folder and removes what a killed process left half-made. */
export async function prepareArchive(directory: string): Promise<void> {
  const { wal, base } = archiveParts(directory);
  for (const path of [wal, base]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    for (const name of await readdir(path))
      if (name.startsWith(HALF_MADE)) await rm(join(path, name), { recursive: true, force: true });
  }
}

/** A name that `prepareArchive` removes if it stays. */
export function halfMade(folder: string): string {
  return join(folder, `${HALF_MADE}${randomUUID()}`);
}

/** Gives a copy its name once it is complete and on the disk. */
export async function keepBase(
  directory: string,
  making: string,
  facts: Omit<BaseCopy, "path">,
): Promise<void> {
  const { base } = archiveParts(directory);
  await writeFile(join(making, FACTS), JSON.stringify(facts, null, 2), { mode: 0o600, flush: true });
  await syncPath(making);
  await rename(making, join(base, facts.stoppedAt.toISOString().replace(/[-:.]/g, "")));
  await syncPath(base);
}

/** Complete copies, oldest first. */
export async function listBases(directory: string): Promise<BaseCopy[]> {
  const { base } = archiveParts(directory);
  const copies: BaseCopy[] = [];
  for (const name of (await listOrNone(base)).filter((one) => !one.startsWith(HALF_MADE))) {
    const path = join(base, name);
    copies.push({ ...factsSchema.parse(JSON.parse(await readFile(join(path, FACTS), "utf8"))), path });
  }
  return copies.sort((one, other) => one.stoppedAt.getTime() - other.stoppedAt.getTime());
}

/** Names of complete and partial segments. */
export async function listSegments(directory: string): Promise<string[]> {
  return (await listOrNone(archiveParts(directory).wal)).filter((name) => SEGMENT.test(name)).sort();
}

/**
 * Removes the copies that nothing within `days` needs, and the log before the oldest that is kept. The newest copy
 * always stays, and everything while a restore reads it.
 */
export async function removeOld(directory: string, days: number): Promise<void> {
  if (await isHeld(archiveParts(directory).reading)) return;
  const copies = await listBases(directory);
  const since = systemClock.now().getTime() - days * 86_400_000;
  // The newest copy of before that moment is where its first second begins.
  const kept = Math.max(
    0,
    copies.findLastIndex(({ stoppedAt }) => stoppedAt.getTime() <= since),
  );
  for (const { path } of copies.slice(0, kept)) await removeBase(directory, path);
  const [oldest] = copies.slice(kept);
  if (!oldest) return;
  const { wal } = archiveParts(directory);
  for (const name of await listSegments(directory))
    if (segmentStart(name) < segmentStart(oldest.firstSegment)) await rm(join(wal, name), { force: true });
}

/** Renamed first: what keeps its name is complete. */
export async function removeBase(directory: string, path: string): Promise<void> {
  const removing = halfMade(archiveParts(directory).base);
  await rename(path, removing);
  await rm(removing, { recursive: true, force: true });
}

/** Until when the archive is complete; null: it holds nothing. */
export async function readArchivedUntil(directory: string): Promise<Date | null> {
  try {
    return (await stat(archiveParts(directory).until)).mtime;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Ages for the metrics in milliseconds; Infinity without one. */
export async function readArchiveAges(directory: string): Promise<{ untilMs: number; baseMs: number }> {
  const now = systemClock.now().getTime();
  const newest = (await listBases(directory)).at(-1);
  const until = newest ? await readArchivedUntil(directory) : null;
  const age = (at: Date | null | undefined) =>
    at ? Math.max(0, now - at.getTime()) : Number.POSITIVE_INFINITY;
  return { untilMs: age(until), baseMs: age(newest?.stoppedAt) };
}

async function listOrNone(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
