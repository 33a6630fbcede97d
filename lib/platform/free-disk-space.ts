import { statfs } from "node:fs/promises";
import { hasCode } from "@/lib/platform/error-code";

/**
 * How much room is left for accounts that are not root, on the file system of a folder.
 * @returns bytes; null where there is no such folder
 */
export async function readFreeDiskSpace(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}
