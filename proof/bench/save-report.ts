import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@/lib/platform/config";

/** Where benchmarks work and leave their figures; made when it is not there. */
export async function benchFolder(): Promise<string> {
  const folder = join(loadConfig(process.env).dataDirectory, "bench");
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Writes what was measured, on what machine and under what load, and says where. @param name of the file */
export async function saveReport(name: string, results: object, conditions: object): Promise<void> {
  const machine = { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version };
  const path = join(await benchFolder(), name);
  await writeFile(path, `${JSON.stringify({ machine, conditions, ...results }, null, 2)}\n`);
  process.stdout.write(`\n${JSON.stringify({ machine, conditions })}\nAll of it: ${path}\n`);
}
