import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Clock ticks per second of /proc; Linux has reported 100 to user space on every architecture since 2.6. */
const TICKS_PER_SECOND = 100;

/**
 * What the operating system reports about a running process, or null if there is none (or it may not be read). A
 * process id alone proves nothing: ids are reused, in containers within seconds.
 * @param {number} pid
 * @returns {Promise<{ command: string[], startedAtSeconds: number } | null>} `command` is one string where the system
 *   does not keep arguments apart
 */
export async function readProcessFacts(pid) {
  if (!isAlive(pid)) return null;
  return process.platform === "linux" ? readFromProc(pid) : readFromPs(pid);
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive, as another user.
    return isErrorWithCode(error, "EPERM");
  }
}

/** @param {number} pid */
async function readFromProc(pid) {
  try {
    const [commandLine, status, system] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, "utf8"),
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile("/proc/stat", "utf8"),
    ]);
    // The name in parentheses may itself hold spaces and parentheses: count fields from the last one.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z") return null;
    const bootedAtSeconds = Number(/^btime (\d+)$/m.exec(system)?.[1]);
    const startedAtSeconds = bootedAtSeconds + Number(fields[19]) / TICKS_PER_SECOND;
    return { command: commandLine.split("\0").slice(0, -1), startedAtSeconds };
  } catch (error) {
    // It ended meanwhile, or /proc hides the processes of others.
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].some((code) => isErrorWithCode(error, code))) return null;
    throw error;
  }
}

/** @param {number} pid */
async function readFromPs(pid) {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-ww", "-o", "lstart=,command=", "-p", String(pid)], {
      env: { LC_ALL: "C", PATH: "/bin:/usr/bin" },
      timeout: 5_000,
    });
    // "Mon Nov 20 12:00:00 2025 /path/postgres -D …"
    const match = /^\s*(\w{3} +\w{3} +\d+ [\d:]{8} \d{4}) (.*)$/.exec(stdout.split("\n")[0] ?? "");
    if (!match) return null;
    return { command: [match[2] ?? ""], startedAtSeconds: Date.parse(match[1] ?? "") / 1000 };
  } catch (error) {
    // `ps` exits with 1 if no such process exists.
    if (isErrorWithCode(error, 1)) return null;
    throw error;
  }
}

/**
 * @param {unknown} error
 * @param {string | number} code
 */
export function isErrorWithCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}
