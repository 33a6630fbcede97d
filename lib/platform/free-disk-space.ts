import { statfs } from "node:fs/promises";
import { hasCode } from "@/lib/platform/error-code";

/**
 * The free space for non-root accounts on the file system of a folder.
 * @returns bytes; null if there is no such folder
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
