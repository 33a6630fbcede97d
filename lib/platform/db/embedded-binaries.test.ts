import { execFile } from "node:child_process";
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPackage, prepareBinaries } from "./embedded-binaries";

/** An account that is nobody's, so certainly not the one that runs the tests. */
const STRANGER = { uid: 65_533, gid: 65_533 };

let folder: string;
let packagePath: string;
let symlinks: { source: string; target: string }[];

/** The package as npm unpacks it when install scripts are blocked: no symlinks. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-binaries-"));
  packagePath = join(folder, "package");
  symlinks = JSON.parse(await readFile(join(findPackage(), "native/pg-symlinks.json"), "utf8"));
  await cp(findPackage(), packagePath, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
});
afterEach(() => rm(folder, { recursive: true }));

async function runPostgres(path: string): Promise<string> {
  return (await promisify(execFile)(path, ["--version"])).stdout;
}

test("missing symlinks are made, and the programs run", async () => {
  const binaries = await prepareBinaries(packagePath, { homePath: folder, user: null, isReachable: true });
  expect(symlinks.length).toBeGreaterThan(0);
  for (const { target } of symlinks) {
    expect((await lstat(join(packagePath, target))).isSymbolicLink(), target).toBe(true);
  }
  expect(binaries.postgres.startsWith(packagePath)).toBe(true);
  expect(await runPostgres(binaries.postgres)).toContain(`(PostgreSQL) ${binaries.majorVersion}.`);
  expect(await prepareBinaries(packagePath, { homePath: folder, user: null, isReachable: true })).toEqual(
    binaries,
  );
});

test("where the server's account cannot reach them they are copied whole, once, and left readable for it", async () => {
  const home = join(folder, "home");
  await mkdir(home);
  const place = { homePath: home, user: STRANGER, isReachable: true };
  const [first, second] = await Promise.all([
    prepareBinaries(packagePath, place),
    prepareBinaries(packagePath, place),
  ]);
  expect(second).toEqual(first);
  expect(first.postgres.startsWith(home)).toBe(true);
  expect(await readdir(home)).toHaveLength(1);
  expect((await lstat(first.postgres)).mode & 0o777).toBe(0o755);
  const [link] = symlinks;
  expect(await readlink(join(first.postgres, "../../..", link?.target ?? ""))).toBeTruthy();
  expect(await runPostgres(first.postgres)).toContain("PostgreSQL");
});

test("a platform without binaries is told about DATABASE_URL", () => {
  expect(() => findPackage("win32-x64")).toThrow(
    /no embedded PostgreSQL for this platform \(win32-x64\).*DATABASE_URL/,
  );
});
