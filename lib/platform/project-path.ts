import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/** From `.build/` or any source folder the project's root is only a few levels up. */
const MAX_STEPS_UP = 8;

/**
 * Absolute path of a file that is read at run time (migrations, the supervisor) and is therefore not in the bundle.
 * Walks up from this module, which works from the sources and from `.build/server.mjs`, then from the working folder.
 * @param relativePath from the project's root, such as `lib/db/migrations`
 * @throws Error naming the file if the installation is incomplete
 */
export function projectPath(relativePath: string): string {
  for (const start of [dirname(fileURLToPath(import.meta.url)), process.cwd()]) {
    let folder = start;
    for (let step = 0; step < MAX_STEPS_UP; step++) {
      const candidate = join(folder, relativePath);
      if (existsSync(candidate)) return candidate;
      folder = dirname(folder);
    }
  }
  throw new Error(`The installation is incomplete: ${relativePath} is missing.`);
}

/**
 * Absolute path of a file of the built dashboard: of the build that started this process or, in a test from outside, of
 * the one started last (scripts/build.mjs).
 * @param relativePath from Next's folder, such as `routes-manifest.json`
 * @throws Error naming the file if it is missing
 */
export function dashboardPath(relativePath: string): string {
  const folder =
    process.env.SLUICE_BUILD_FOLDER ?? join(".build", readFileSync(projectPath(".build/current"), "utf8"));
  return projectPath(join(folder, "next", relativePath));
}

/** The version of this program, such as 0.1.0. */
export async function readVersion(): Promise<string> {
  const text = await readFile(projectPath("package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
