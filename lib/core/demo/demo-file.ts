import { randomUUID } from "node:crypto";
import { open, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { DEMO_FILE, type DemoDescription, demoDescriptionSchema } from "@/lib/contract/demo";
import type { Config } from "@/lib/platform/config";
import { hasCode } from "@/lib/platform/error-code";

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

/**
 * What an earlier start wrote of the demo, with the addresses of this one: whoever starts on another port finds the
 * file right. Null where no demo was made in this data folder.
 */
export async function readDemoFile(
  config: Pick<Config, "appUrl" | "dataDirectory">,
): Promise<DemoDescription | null> {
  const text = await readText(join(config.dataDirectory, DEMO_FILE));
  if (text === null) return null;
  const written = demoDescriptionSchema.parse(JSON.parse(text));
  if (written.appUrl === config.appUrl) return written;
  const current = { ...written, ...describeAddresses(config.appUrl) };
  await writeDemoFile(config.dataDirectory, current);
  return current;
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** The three doors at this public address (decisions page, "Names, addresses, words"). */
export function describeAddresses(appUrl: string): Pick<DemoDescription, "appUrl" | "apiUrl" | "mcpUrl"> {
  return { appUrl, apiUrl: `${appUrl}/platform/v1`, mcpUrl: `${appUrl}/mcp` };
}
