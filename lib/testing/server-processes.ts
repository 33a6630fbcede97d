import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** What the system shows of an embedded server, from the outside. */

export async function readPostmasterPid(dataDirectory: string): Promise<number> {
  return Number((await readFile(postmasterFile(dataDirectory), "utf8")).split("\n")[0]);
}

export function postmasterFile(dataDirectory: string): string {
  return join(dataDirectory, "postgres/data/postmaster.pid");
}

/** The supervisor is the parent of the server that it started. */
export async function readParentPid(pid: number): Promise<number> {
  return Number(await readProcess(pid, "ppid"));
}

export async function readUserId(pid: number): Promise<number> {
  return Number(await readProcess(pid, "uid"));
}

/** A process that ended but was not collected by its parent counts as ended. */
export async function isRunning(pid: number): Promise<boolean> {
  const state = await readProcess(pid, "stat").catch(() => "");
  return state !== "" && !state.startsWith("Z");
}

async function readProcess(pid: number, column: string): Promise<string> {
  const { stdout } = await promisify(execFile)("ps", ["-o", `${column}=`, "-p", String(pid)]);
  return stdout.trim();
}
