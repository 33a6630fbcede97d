import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@/lib/platform/clock";
import { judgeAdvisories } from "@/proof/audit/judge-advisories";
import { judgeLockFile } from "@/proof/audit/judge-lock-file";

const TIMEOUT_MS = 60_000;
const MAXIMUM_BYTES = 10_000_000;

/**
 * `npm run audit`, and a step of `npm test`. The lock file is judged always; known advisories are asked for at the
 * registry, which a closed network does not reach: then that is said, and fails nothing unless `SLUICE_AUDIT=required`.
 * @param root the project's folder
 * @returns whether all is well
 */
export async function audit(root: string, say: (line: string) => void): Promise<boolean> {
  const readJson = async (...path: string[]) => JSON.parse(await readFile(join(root, ...path), "utf8"));
  const problems = judgeLockFile(await readJson("package-lock.json"));
  for (const problem of problems) say(problem);
  say(problems.length === 0 ? "The lock file is in order." : "The lock file is not in order.");
  const today = systemClock.now().toISOString().slice(0, 10);
  const verdict = judgeAdvisories(
    await npmAudit(root),
    await readJson("tools", "audit", "accepted.json"),
    today,
  );
  if (verdict.kind === "CLEAR") {
    say(`No known advisory concerns what production runs (${verdict.accepted} accepted).`);
    return problems.length === 0;
  }
  if (verdict.kind === "FOUND") {
    for (const problem of verdict.problems) say(problem);
    say("Update the package, or accept the advisory with a reason and a date in proof/audit/accepted.json.");
    return false;
  }
  say(`WARNING: advisories were NOT checked, the registry's service did not answer (${verdict.why}).`);
  say("Run `npm run audit` where it can be reached before this is released.");
  return problems.length === 0 && process.env.SLUICE_AUDIT !== "required";
}

/** What it printed; nothing when it could not be run or took too long. It ends with 1 for every finding. */
function npmAudit(cwd: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn("npm", ["audit", "--omit=dev", "--json"], {
      cwd,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
      // On Windows npm is a script, which only a shell finds; nothing of these words comes from anybody.
      shell: process.platform === "win32",
    });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      if (printed.length < MAXIMUM_BYTES) printed += chunk.toString();
    });
    child.on("error", () => resolve(""));
    child.on("close", () => resolve(printed));
  });
}
