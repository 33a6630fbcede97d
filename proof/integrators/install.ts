import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { projectPath } from "@/lib/platform/project-path";

const FOLDER = join(dirname(projectPath("package.json")), "proof", "integrators");
/** Installing takes most of a minute where nothing is cached, compiling some seconds. */
export const TIMEOUT_MS = 300_000;
const run = promisify(execFile);

/** Path of a program that one of the packages brings. */
export const program = (name: string, ...path: string[]) => join(FOLDER, "node_modules", name, ...path);

/**
 * A temporary folder in which the packages of integrators are found; they are installed if the lock file names others. In a
 * folder of their own, because they need TypeScript 5, which the product does not use.
 * @returns its path, and how to run a program or a built file of it
 */
export async function openFolder() {
  await install();
  const folder = await mkdtemp(join(tmpdir(), "sluice-integrators-"));
  await symlink(program(""), join(folder, "node_modules"));
  const node = (parameters: readonly string[], environment: Record<string, string> = {}) =>
    run(process.execPath, parameters, {
      cwd: folder,
      env: { ...process.env, ...environment },
      timeout: TIMEOUT_MS,
    });
  /** Strictly, into `built`. @returns the compiler's complaints */
  const compile = async (...names: string[]): Promise<string> => {
    for (const name of names) await copyFile(join(FOLDER, name), join(folder, name));
    const options = ["--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"];
    const parameters = [program("typescript", "bin", "tsc"), ...options, "--outDir", "built", ...names];
    return node(parameters).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
  };
  return { folder, node, compile };
}

async function install(): Promise<void> {
  const wanted = createHash("sha256")
    .update(await readFile(join(FOLDER, "package-lock.json")))
    .digest("hex");
  // Written last, so that an interrupted installation is repeated.
  const mark = program(".installed");
  if ((await readFile(mark, "utf8").catch(() => "")) === wanted) return;
  await run("npm", ["ci", "--ignore-scripts", "--loglevel=error"], { cwd: FOLDER, timeout: TIMEOUT_MS });
  await writeFile(mark, wanted);
}
