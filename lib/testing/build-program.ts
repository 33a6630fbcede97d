import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { projectPath } from "@/lib/platform/project-path";

export interface BuiltProgram {
  path: string;
  remove(): Promise<void>;
}

/**
 * Bundles a program for a process of its own as the product is bundled, into a folder at the depth of `.build/`.
 * @param source from the project's root
 */
export async function buildProgram(source: string): Promise<BuiltProgram> {
  const root = dirname(projectPath("package.json"));
  const folder = join(root, ".build", `test-${randomUUID()}`);
  const path = join(folder, `${basename(source, ".ts")}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile: path,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    // `server-only` throws outside a React server bundle by design; this is a server.
    alias: { "server-only": "./node_modules/server-only/empty.js" },
    sourcemap: "inline",
    logLevel: "error",
  });
  return { path, remove: () => rm(folder, { recursive: true }) };
}
