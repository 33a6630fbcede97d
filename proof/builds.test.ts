/**
 * The builds of a checkout, with real processes. Promise: what an older process reads from stays unchanged, whatever is
 * started beside it, and only what is used is kept.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { projectPath } from "@/lib/platform/project-path";

let root: string;
/** A checkout whose server reports its version. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sluice-builds-"));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const project = dirname(projectPath("package.json"));
  await mkdir(join(root, "scripts"));
  for (const name of ["build.mjs", "free-memory.mjs"]) {
    await cp(join(project, "scripts", name), join(root, "scripts", name));
  }
  for (const folder of ["app", "components", "lib", "proof/emulators", "public"])
    await mkdir(join(root, folder), { recursive: true });
  const files = [
    "instrumentation.ts",
    "open-product.ts",
    "next.config.mjs",
    "postcss.config.mjs",
    "package-lock.json",
  ];
  for (const name of files) await writeFile(join(root, name), "");
  await writeFile(join(root, "tsconfig.json"), "{}");
  await symlink(join(project, "node_modules"), join(root, "node_modules"));
});

const write = (version: number) =>
  writeFile(join(root, "server.ts"), `export const version: number = ${version};\n`);

/** Starts from the checkout, and runs until it is killed. */
async function start(): Promise<{ folder: string; child: ChildProcess }> {
  const program = `
    const { buildIfNeeded } = await import(${JSON.stringify(join(root, "scripts/build.mjs"))});
    console.log(await buildIfNeeded(() => {}, { hasPages: false }));
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { folder: String(line).trim(), child };
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("each version has its own folder, which stays while a process uses it and is removed afterwards", async () => {
  await write(1);
  const first = await start();
  const built = await readFile(join(first.folder, "server.mjs"), "utf8");
  const again = await start();
  expect(again.folder).toBe(first.folder);
  await end(again.child);

  await write(2);
  const second = await start();
  expect(second.folder).not.toBe(first.folder);
  expect(await readFile(join(first.folder, "server.mjs"), "utf8")).toBe(built);

  // It has used its build for longer than a start takes to announce it.
  await utimes(join(first.folder, "users"), 0, 0);
  await write(3);
  await end((await start()).child);
  expect(existsSync(first.folder)).toBe(true);

  await end(first.child);
  await utimes(join(first.folder, "users"), 0, 0);
  await write(4);
  await start();
  expect(existsSync(first.folder)).toBe(false);
  expect(existsSync(second.folder)).toBe(true);
});

test("a release, which contains no sources, starts from its own build", async () => {
  await write(1);
  const { folder, child } = await start();
  await end(child);
  await writeFile(join(root, ".build", "release"), folder.slice(-16));
  for (const source of ["app", "lib", "server.ts", "tsconfig.json"])
    await rm(join(root, source), { recursive: true });
  expect((await start()).folder).toBe(folder);
});
