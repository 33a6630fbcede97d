import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";

/**
 * A package with Go's own toolchain (1.26.8, BSD) for one platform, beside a compiler that is not used here. Fetched
 * when a test needs it, not a dependency: 60 MB, 180 on disk, that no start of Sluice needs.
 */
const PACKAGE = `@ttsc/${process.platform}-${process.arch}`;
const VERSION = "0.30.4";
/** Go 1.19 supports everything the programs use. */
const OLDEST_MINOR = 19;

/**
 * Go, for tests that run a receiver's program: an installed one, otherwise an npm package kept in `.build/`,
 * otherwise Debian's package (as root).
 * @returns path of an executable
 * @throws Error when none is available
 */
export async function findGo(say) {
  if (isGo("go")) return "go";
  const kept = join(root, ".build", `go-${VERSION}`);
  const executable = join(kept, "node_modules", PACKAGE, "bin", "go", "bin", "go");
  if (!isGo(executable)) {
    say(`Go is not installed; getting ${PACKAGE} ${VERSION} (60 MB, once).`);
    await fetchPackage(kept, say);
  }
  if (isGo(executable)) return executable;
  if (process.getuid?.() === 0 && isThere("apt-get")) {
    say("Installing Debian's Go.");
    const options = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
    spawnSync("apt-get", ["update"], options);
    spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", "golang-go"], options);
    if (isGo("go")) return "go";
  }
  throw new Error(`The tests run a Go program. Install Go 1.${OLDEST_MINOR} or newer, and run them again.`);
}

/** Atomic: two concurrent downloads do not mix their files. */
async function fetchPackage(folder, say) {
  await mkdir(join(root, ".build"), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    const npm = ["install", "--prefix", fresh, "--ignore-scripts", "--no-save", `${PACKAGE}@${VERSION}`];
    execFileSync("npm", npm, { stdio: "ignore" });
    if (!existsSync(folder)) await rename(fresh, folder);
  } catch (error) {
    say(`That did not work: ${error.message}`);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

function isGo(executable) {
  const { status, stdout } = spawnSync(executable, ["version"], { encoding: "utf8" });
  const [, minor = "0"] = /^go version go1\.(\d+)/.exec(stdout ?? "") ?? [];
  return status === 0 && Number(minor) >= OLDEST_MINOR;
}

function isThere(command) {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
}

/** `node scripts/go.mjs` prints the path, for tests that do not import this module. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.stdout.write(await findGo((line) => process.stderr.write(`${line}\n`)));
}
