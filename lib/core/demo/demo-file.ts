import { randomUUID } from "node:crypto";
import { open, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { DEMO_FILE, type DemoDescription, demoDescriptionSchema } from "@/lib/contract/demo";
import type { Config } from "@/lib/platform/config";
import { hasCode } from "@/lib/platform/error-code";

/**
 * Writes `demo.json`, readable only by its owner. It is written under another name and renamed: a crash leaves either
 * the new file or the old one, and the new one does not inherit looser permissions.
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
 * What an earlier start wrote about the demo, with this start's addresses, which change with the port. Null if this
 * data folder has no demo.
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

/** The addresses of app, API, and MCP under this public URL. */
export function describeAddresses(appUrl: string): Pick<DemoDescription, "appUrl" | "apiUrl" | "mcpUrl"> {
  return { appUrl, apiUrl: `${appUrl}/platform/v1`, mcpUrl: `${appUrl}/mcp` };
}
