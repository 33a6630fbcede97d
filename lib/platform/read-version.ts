import { readFile } from "node:fs/promises";
import { z } from "zod";
import { projectPath } from "@/lib/platform/project-path";

/** Of this program, e.g. 0.1.0. */
export async function readVersion(): Promise<string> {
  const text = await readFile(projectPath("package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
