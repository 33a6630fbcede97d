import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A control group of its own for the product, limited like a small machine. */
export interface ControlGroup {
  /** Starts a program inside: Node sizes its heap by the limit that it meets at its start. */
  starter: readonly string[];
  /** How often the kernel ended a process for lack of memory. */
  countKills: () => Promise<number>;
  remove: () => Promise<void>;
}

/** The hierarchies of version 1 and 2: where the own group is, and the files that limit and report. */
const VERSIONS = [
  {
    line: /^\d+:memory:(.*)$/m,
    root: "/sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    kills: "memory.oom_control",
  },
  { line: /^0::(.*)$/m, root: "/sys/fs/cgroup", limit: "memory.max", kills: "memory.events" },
];

/** @returns null where this account may not create one */
export async function makeControlGroup(limitBytes: number): Promise<ControlGroup | null> {
  const own = await readFile("/proc/self/cgroup", "utf8").catch(() => "");
  for (const { line, root, limit, kills } of VERSIONS) {
    const path = line.exec(own)?.[1];
    if (path === undefined) continue;
    const folder = join(root, path, `sluice-memory-${process.pid}`);
    try {
      await mkdir(folder);
      await writeFile(join(folder, limit), String(limitBytes));
    } catch {
      await rmdir(folder).catch(() => undefined);
      continue;
    }
    return {
      starter: ["sh", "-c", 'echo $$ > "$0" && exec "$@"', join(folder, "cgroup.procs")],
      countKills: async () =>
        Number(/^oom_kill (\d+)$/m.exec(await readFile(join(folder, kills), "utf8"))?.[1] ?? 0),
      remove: () => rmdir(folder),
    };
  }
  return null;
}
