import { randomUUID } from "node:crypto";
import { open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { DEMO_FILE, type DemoDescription } from "@/lib/contract/demo";

/**
 * Writes `demo.json`, readable by its owner alone. Written completely under another name first: a crash leaves either
 * the whole new file or what was there before, and a file that others could read does not pass on its mode.
 */
export async function writeDemoFile(dataDirectory: string, description: DemoDescription): Promise<void> {
  const path = join(dataDirectory, DEMO_FILE);
  const making = `${path}.${randomUUID()}`;
  const file = await open(making, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(description, null, 2)}\n`);
    await file.sync();
  } catch (error) {
    await unlink(making);
    throw error;
  } finally {
    await file.close();
  }
  await rename(making, path);
}
