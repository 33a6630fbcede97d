import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { CanonicalEntry } from "@/lib/core/audit/audit-digest";
import type { Seal } from "@/lib/core/audit/read-seals";

/** A stretch of an organization's chain as a file has it (docs/audit.md, "Archives"). */
export interface AuditStretch {
  organizationId: string;
  /** Of the seal before the stretch, or the genesis. */
  previousHash: string;
  seals: readonly Seal[];
}

/** Ten thousand seals with entries take 6 MB; a file that decompresses to more was not written here. */
const MAXIMUM_FILE_BYTES = 200_000_000;

export const toLine = (record: object) => `${JSON.stringify(record)}\n`;

/** The link of a seal as exports and archives have it, with its fields in this order. */
export function toLink({ sequence, sealedAt, entryHash, hash, entry }: Seal) {
  return { sequence, sealedAt, entryHash, hash, entry };
}

/**
 * Writes a stretch, so that the file under its name is whole and on the disk, or not there: power may fail at any moment,
 * and what is written here is removed from the database afterwards.
 * @param path a folder that does not exist is created; an older file of this name is replaced
 * @returns the SHA-256 of the file's lines before compression
 */
export async function writeArchiveFile(path: string, stretch: AuditStretch): Promise<Buffer> {
  const { organizationId, previousHash, seals } = stretch;
  const header = { format: "sluice-audit-archive-v1", organizationId, algorithm: "SHA-256", previousHash };
  const trailer = { count: seals.length, head: seals.at(-1)?.hash ?? previousHash };
  const text = [header, ...seals.map(toLink), trailer].map(toLine).join("");
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Another worker may write the same stretch at this moment.
  const partial = `${path}.partial-${randomUUID()}`;
  try {
    await writeToDisk(partial, await promisify(gzip)(text));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  // The name, too, must outlast a loss of power.
  const folder = await open(directory, "r");
  await folder.sync().finally(() => folder.close());
  return createHash("sha256").update(text).digest();
}

async function writeToDisk(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * The entries of a file by their sequence.
 * @param sha256 of the file's lines, as `audit_archives` has it
 * @returns null: this is not the file that was written
 * @throws what reading throws, such as ENOENT
 */
export async function readArchiveFile(
  path: string,
  sha256: Buffer,
): Promise<ReadonlyMap<number, CanonicalEntry> | null> {
  const text = await decompress(await readFile(path));
  if (text === null || !createHash("sha256").update(text).digest().equals(sha256)) return null;
  const entries = new Map<number, CanonicalEntry>();
  for (const line of text.toString("utf8").split("\n").slice(1, -2)) {
    // The hash proves that writeArchiveFile wrote these lines.
    const { sequence, entry }: ReturnType<typeof toLink> = JSON.parse(line);
    if (entry) entries.set(sequence, entry);
  }
  return entries;
}

/** Null: damaged, or larger than any file that is written here. */
async function decompress(bytes: Buffer): Promise<Buffer | null> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAXIMUM_FILE_BYTES });
  } catch {
    return null;
  }
}
