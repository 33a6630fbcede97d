import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";

/** What a product and its PostgreSQL take at a moment: memory of one process alone, and its share of the rest. */
export interface ProductMemory {
  nodeBytes: number;
  postgresBytes: number;
  /** Server processes that serve a connection. */
  backends: number;
  /** The largest of them, without shared memory. */
  largestBackendBytes: number;
}

interface ProcessFacts {
  pid: number;
  parent: number;
  command: string;
}

/**
 * Sums a process and everything that it started, the supervisor of the embedded database and its servers among them.
 * @param first the product's process
 * @throws Error where there is no `/proc`
 */
export async function readProductMemory(first: number): Promise<ProductMemory> {
  const processes = await listProcesses();
  const family = processes.filter(({ pid }) => pid === first);
  // Grows during the walk: children of children.
  for (const { pid } of family) family.push(...processes.filter(({ parent }) => parent === pid));
  const memory = { nodeBytes: 0, postgresBytes: 0, backends: 0, largestBackendBytes: 0 };
  for (const { pid, command } of family) {
    const { shareBytes, privateBytes } = await readRollup(pid);
    const isPostgres =
      /^postgres\b/.test(basename(command.split(" ", 1)[0] ?? "")) || command.startsWith("postgres:");
    if (isPostgres) memory.postgresBytes += shareBytes;
    else memory.nodeBytes += shareBytes;
    // `postgres: sluice-…: sluice_app sluice [local] idle`
    if (!/^postgres: .*\[local\]/.test(command)) continue;
    memory.backends += 1;
    memory.largestBackendBytes = Math.max(memory.largestBackendBytes, privateBytes);
  }
  return memory;
}

async function listProcesses(): Promise<ProcessFacts[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const [stat, command] = await Promise.all([
        readOrEmpty(`/proc/${name}/stat`),
        readOrEmpty(`/proc/${name}/cmdline`),
      ]);
      // The name in parentheses may contain anything; the parent is the second field after it.
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      return { pid: Number(name), parent, command: command.replaceAll("\0", " ").trim() };
    }),
  );
  return found.filter(({ parent }) => Number.isInteger(parent));
}

async function readRollup(pid: number): Promise<{ shareBytes: number; privateBytes: number }> {
  const text = await readOrEmpty(`/proc/${pid}/smaps_rollup`);
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? 0) * 1024;
  return { shareBytes: bytes("Pss"), privateBytes: bytes("Private_Clean") + bytes("Private_Dirty") };
}

/** Processes end while they are read. */
async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return "";
  }
}
