import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DEMO_FILE, type DemoDescription, demoDescriptionSchema } from "@/lib/contract/demo";
import { describeAddresses } from "@/lib/core/demo/describe-addresses";
import { writeDemoFile } from "@/lib/core/demo/write-demo-file";
import type { Config } from "@/lib/platform/config";
import { hasCode } from "@/lib/platform/error-code";

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
