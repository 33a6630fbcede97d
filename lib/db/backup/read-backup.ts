import { type Hmac, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import {
  type BackupHeader,
  createMac,
  FORMAT_VERSION,
  FRAME,
  FRAME_HEAD_BYTES,
  type Frame,
  type FrameKind,
  formatSchema,
  headerSchema,
  MAX_FRAME_BYTES,
  secretFingerprint,
  tableSumSchema,
} from "@/lib/db/backup/backup-format";
import {
  AGE_BEGINNING_BYTES,
  type AgeIdentity,
  DamagedAgeFile,
  decryptAge,
  isAgeFile,
  WrongKey,
} from "@/lib/platform/age";

/** What a backup is read with. */
export interface BackupReading {
  /** Of the Sluice that made it. Null: neither the secret nor the integrity of the file is checked. */
  secret: string | null;
  /** Where the secret was replaced since: the one before. */
  previousSecret?: string | null;
  /** Open it if it is encrypted. */
  identities?: readonly AgeIdentity[];
}

/**
 * Opens a backup and reads its header.
 * @returns the header, and the frames after it
 * @throws Error if it was made by a newer Sluice or under another secret; DamagedBackup if it is not a backup; WrongKey
 *   if it is encrypted and nothing given opens it
 */
export async function openBackup(path: string, reading: BackupReading) {
  const secrets = [reading.secret, reading.previousSecret].filter((one) => typeof one === "string");
  const frames = readFrames(path, reading.identities ?? [], ({ secretFingerprint: made }) => {
    const own = secrets.find((secret) => secretFingerprint(secret) === made);
    return own === undefined ? null : createMac(own);
  });
  const close = async () => {
    await frames.return(undefined);
  };
  try {
    const first = await frames.next();
    if (first.done) throw new DamagedBackup(NO_BACKUP);
    const header = readHeader(first.value);
    if (
      reading.secret !== null &&
      !secrets.some((one) => header.secretFingerprint === secretFingerprint(one))
    ) {
      throw new OtherSecret(
        "This backup belongs to another secret. Use the one of the Sluice that made it (SLUICE_SECRET, or the file " +
          "`secret` of its data folder). --other-secret restores it anyway: what that secret encrypted " +
          "(webhooks' signing secrets, authenticator apps, bank tokens) is lost, and alterations go undetected.",
      );
    }
    return { header, frames, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function readHeader(frame: Frame): BackupHeader {
  if (frame.kind !== FRAME.header) throw new DamagedBackup(NO_BACKUP);
  // Checked first: a later format may differ in everything else.
  const { format } = parseJson(frame.payload, formatSchema);
  if (format !== FORMAT_VERSION) {
    throw new Error("This backup was made by a newer Sluice. Restore it with that version.");
  }
  return parseJson(frame.payload, headerSchema);
}

/** The backup was made by a Sluice with a secret that was not given. */
export class OtherSecret extends Error {
  override readonly name = "OtherSecret";
}

/** The file is not a complete, unaltered backup; none of it may be used. */
class DamagedBackup extends Error {
  override readonly name = "DamagedBackup";
}

const KINDS: readonly string[] = Object.values(FRAME);
const NO_BACKUP = "This is not a Sluice backup, or it was altered. Use another one.";
const CUT_OFF = "The backup is truncated. Use another one.";

/**
 * The frames of a backup in order, in bounded memory. A frame proves nothing by itself: the file is intact only if the
 * generator ends without an error.
 * @param macOf begins the HMAC that is checked at the end
 * @throws DamagedBackup if the file is truncated, altered or not a backup
 */
async function* readFrames(
  path: string,
  identities: readonly AgeIdentity[],
  macOf: (header: BackupHeader) => Hmac | null,
): AsyncGenerator<Frame> {
  let mac: Hmac | null = null;
  let isFirst = true;
  let written: Buffer | null = null;
  for await (const { head, frame } of splitFrames(unzip(path, identities))) {
    if (written)
      throw new DamagedBackup("The backup continues after its end, so it was altered. Use another one.");
    if (frame.kind === FRAME.mac) {
      written = frame.payload;
      continue;
    }
    if (isFirst) mac = macOf(readHeader(frame));
    isFirst = false;
    mac?.update(head).update(frame.payload);
    yield frame;
  }
  if (!written) throw new DamagedBackup(CUT_OFF);
  const expected = mac?.digest();
  if (expected && (expected.length !== written.length || !timingSafeEqual(expected, written)))
    throw new DamagedBackup("The backup was altered after it was made. Use another one.");
}

async function* splitFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ head: Buffer; frame: Frame }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (;;) {
      const end = frameEnd(rest, start);
      if (end === null) break;
      const head = rest.subarray(start, start + FRAME_HEAD_BYTES);
      yield { head, frame: { kind: kindOf(head), payload: rest.subarray(start + FRAME_HEAD_BYTES, end) } };
      start = end;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) throw new DamagedBackup(CUT_OFF);
}

/** Where the frame at `start` ends; null if it is not complete yet. */
function frameEnd(bytes: Buffer, start: number): number | null {
  if (bytes.length < start + FRAME_HEAD_BYTES) return null;
  kindOf(bytes.subarray(start));
  const length = bytes.readUInt32BE(start + 1);
  if (length > MAX_FRAME_BYTES) throw new DamagedBackup(NO_BACKUP);
  const end = start + FRAME_HEAD_BYTES + length;
  return bytes.length < end ? null : end;
}

function kindOf(head: Buffer): FrameKind {
  const letter = head.toString("latin1", 0, 1);
  if (!isKind(letter)) throw new DamagedBackup(NO_BACKUP);
  return letter;
}

const isKind = (letter: string): letter is FrameKind => KINDS.includes(letter);

async function* unzip(path: string, identities: readonly AgeIdentity[]): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  const source = (await isEncrypted(path)) ? Readable.from(decryptAge(file, identities)) : file;
  const gunzip = createGunzip();
  // An error of any stream surfaces at the reader of the last one.
  pipeline(source, gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk;
  } catch (error) {
    if (error instanceof DamagedAgeFile)
      throw new DamagedBackup(`${error.message} Use another backup.`, { cause: error });
    if (error instanceof WrongKey)
      throw new WrongKey(
        `The backup cannot be opened. ${error.message} Give the passphrase as SLUICE_BACKUP_PASSPHRASE, or the private key ` +
          "with --identity FILE or SLUICE_BACKUP_IDENTITY (docs/backup.md). Nothing was changed.",
        { cause: error },
      );
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_"))
      throw new DamagedBackup(
        error.message === "unexpected end of file"
          ? CUT_OFF
          : `The backup is damaged, or no backup: ${error.message}.`,
        { cause: error },
      );
    throw error;
  } finally {
    file.destroy();
  }
}

/** Whether `age` encrypted the file: what it opens with has to be known before it is read. */
export async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const beginning = Buffer.alloc(AGE_BEGINNING_BYTES);
    const { bytesRead } = await file.read(beginning, 0, beginning.length, 0);
    return isAgeFile(beginning.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** @throws DamagedBackup when the bytes are not JSON of this shape. */
export function parseJson<Shape extends z.ZodType>(payload: Buffer, shape: Shape): z.infer<Shape> {
  try {
    return shape.parse(JSON.parse(payload.toString()));
  } catch (error) {
    throw new DamagedBackup(NO_BACKUP, { cause: error });
  }
}

/**
 * Reads a whole backup and verifies its integrity without a database.
 * @throws Error as `openBackup`; DamagedBackup if it is truncated or altered
 */
export async function checkBackup(
  path: string,
  reading: BackupReading,
): Promise<{ header: BackupHeader; rowCount: number }> {
  const { header, frames } = await openBackup(path, reading);
  let rowCount = 0;
  for await (const { kind, payload } of frames) {
    if (kind === FRAME.tableEnd) rowCount += Number(parseJson(payload, tableSumSchema).rowCount);
  }
  return { header, rowCount };
}
