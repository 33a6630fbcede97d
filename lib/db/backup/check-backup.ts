import { type BackupHeader, FRAME, tableSumSchema } from "./backup-format";
import { openBackup } from "./open-backup";
import { parseJson } from "./parse-json";

/**
 * Reads a whole backup and looks whether it is as it was written, without a database.
 * @param secret null: only whether it is whole
 * @throws Error as `openBackup`; DamagedBackup when it was cut off or altered.
 */
export async function checkBackup(
  path: string,
  secret: string | null,
): Promise<{ header: BackupHeader; rowCount: number }> {
  const { header, frames } = await openBackup(path, secret);
  let rowCount = 0;
  for await (const { kind, payload } of frames) {
    if (kind === FRAME.tableEnd) rowCount += Number(parseJson(payload, tableSumSchema).rowCount);
  }
  return { header, rowCount };
}
