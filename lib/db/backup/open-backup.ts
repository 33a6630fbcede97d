import {
  type BackupHeader,
  FORMAT_VERSION,
  FRAME,
  type Frame,
  formatSchema,
  headerSchema,
  secretFingerprint,
} from "./backup-format";
import { parseJson } from "./parse-json";
import { DamagedBackup, NO_BACKUP, readFrames } from "./read-frames";

/**
 * Opens a backup and reads its header.
 * @param secret null: neither the secret nor alterations are checked
 * @returns the header, and the frames after it
 * @throws Error when it is of a newer Sluice or of another secret; DamagedBackup when it is none.
 */
export async function openBackup(path: string, secret: string | null) {
  const frames = readFrames(path, secret);
  const close = async () => {
    await frames.return(undefined);
  };
  try {
    const header = readHeader(await frames.next());
    if (secret !== null && header.secretFingerprint !== secretFingerprint(secret)) {
      throw new Error(
        "This backup belongs to another secret: give the one of the Sluice that made it (SLUICE_SECRET, or the file " +
          "`secret` of its data folder). With --other-secret it is restored all the same: what that secret sealed " +
          "(webhooks' signing secrets, authenticator apps, banks' tokens) is lost, and alterations go unnoticed.",
      );
    }
    return { header, frames, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function readHeader(first: IteratorResult<Frame, void>): BackupHeader {
  const frame = first.done ? null : first.value;
  if (frame?.kind !== FRAME.header) throw new DamagedBackup(NO_BACKUP);
  // First: a later format may look otherwise in everything else.
  const { format } = parseJson(frame.payload, formatSchema);
  if (format !== FORMAT_VERSION) {
    throw new Error("This backup was made by a newer Sluice: restore it with that version.");
  }
  return parseJson(frame.payload, headerSchema);
}
