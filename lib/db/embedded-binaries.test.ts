import { execFile } from "node:child_process";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  EMBEDDED_MAJOR_VERSION,
  findInstalled,
  findPackage,
  prepareBinaries,
  removeOldCopies,
} from "./embedded-binaries";

/** An account that certainly does not run the tests. */
const STRANGER = { uid: 65_533, gid: 65_533 };

let folder: string;
let packagePath: string;
let symlinks: { source: string; target: string }[];

/** The package as npm unpacks it with install scripts blocked: no symlinks. */
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

test("the server runs from a copy that npm ci does not touch, so the package may be removed while it runs", async () => {
  const place = { homePath: folder, user: null, isReachable: true };
  const binaries = await prepareBinaries(packagePath, place);
  expect(binaries.majorVersion).toBe(EMBEDDED_MAJOR_VERSION);
  expect(await prepareBinaries(packagePath, place)).toEqual(binaries);
  // Hard-linked, so the copy takes no extra space.
  const inPackage = await lstat(join(packagePath, "native/bin/postgres"));
  expect((await lstat(binaries.postgres)).ino).toBe(inPackage.ino);

  await rm(packagePath, { recursive: true });
  const copy = join(binaries.postgres, "../../..");
  expect(symlinks.length).toBeGreaterThan(0);
  for (const { target } of symlinks) {
    expect((await lstat(join(copy, target))).isSymbolicLink(), target).toBe(true);
  }
  // Files that a running server opens only when needed.
  for (const file of ["extension/plpgsql.control", "timezone/America/New_York", "timezonesets/Default"]) {
    expect((await stat(join(copy, "native/share/postgresql", file))).size, file).toBeGreaterThan(0);
  }
  expect(await runPostgres(binaries.postgres)).toContain(`(PostgreSQL) ${binaries.majorVersion}.`);
});

test("a file readable only by the package's owner is copied, not linked: opening the copy does not open the package", async () => {
  const kept = join(packagePath, "native/share/postgresql/pg_hba.conf.sample");
  await chmod(kept, 0o600);
  const { postgres } = await prepareBinaries(packagePath, {
    homePath: folder,
    user: null,
    isReachable: true,
  });
  const copied = await lstat(join(postgres, "../../share/postgresql/pg_hba.conf.sample"));
  expect(copied.mode & 0o777).toBe(0o644);
  expect((await lstat(kept)).mode & 0o777).toBe(0o600);
});

test("two starts at once make one copy, readable for the server's account", async () => {
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

test("copies of other versions are removed, unless a server may be running from one", async () => {
  const dataPath = join(folder, "data");
  const old = join(folder, "binaries-17.1.0");
  await Promise.all([mkdir(dataPath), mkdir(old)]);
  const binaries = await prepareBinaries(packagePath, { homePath: folder, user: null, isReachable: true });
  await writeFile(join(dataPath, "postmaster.pid"), "1");
  await removeOldCopies({ homePath: folder, dataPath }, binaries);
  expect((await stat(old)).isDirectory()).toBe(true);

  await rm(join(dataPath, "postmaster.pid"));
  await removeOldCopies({ homePath: folder, dataPath }, binaries);
  await expect(stat(old)).rejects.toThrow("ENOENT");
  expect(await runPostgres(binaries.postgres)).toContain("PostgreSQL");
});

test("an installed PostgreSQL of the same major version is used as it is", async () => {
  const { postgres } = await prepareBinaries(packagePath, {
    homePath: folder,
    user: null,
    isReachable: true,
  });
  const installed = dirname(postgres);
  expect(await findInstalled(installed, { user: null })).toEqual({
    postgres: join(installed, "postgres"),
    initdb: join(installed, "initdb"),
    majorVersion: EMBEDDED_MAJOR_VERSION,
  });
});

test("an installed PostgreSQL of another major version is refused with what to do, as is a folder without one", async () => {
  const installed = join(folder, "installed");
  await mkdir(installed);
  await expect(findInstalled(installed, { user: null })).rejects.toThrow(
    /SLUICE_POSTGRES_BIN: .* does not hold the programs postgres and initdb/,
  );
  for (const program of ["postgres", "initdb"]) {
    await writeFile(
      join(installed, program),
      "#!/bin/sh\necho 'postgres (PostgreSQL) 17.10 (Debian 17.10-1)'\n",
    );
    await chmod(join(installed, program), 0o755);
  }
  await expect(findInstalled(installed, { user: null })).rejects.toThrow(
    /is PostgreSQL 17\.10, .* one of 18\. Install PostgreSQL 18, or run your own server and set DATABASE_URL/,
  );
});

test("an installed PostgreSQL that the server's account may not run is refused", async () => {
  const { postgres } = await prepareBinaries(packagePath, {
    homePath: folder,
    user: null,
    isReachable: true,
  });
  const installed = dirname(postgres);
  await chmod(folder, 0o700);
  await expect(findInstalled(installed, { user: STRANGER })).rejects.toThrow(/65533.*may not run/);
});

test("on a platform without binaries the error names DATABASE_URL", () => {
  expect(() => findPackage("win32-x64")).toThrow(
    /no embedded PostgreSQL for this platform \(win32-x64\).*DATABASE_URL/,
  );
});
