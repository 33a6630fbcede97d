import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Peak memory of `next build`, with some to spare (measured; docs/operating.md). */
export const MEMORY_TO_BUILD_BYTES = 1_500_000_000;

/** Deeper than any service manager nests them. */
const MAX_GROUPS = 32;
/** cgroup v2, then v1: the hierarchy's folder and its files for limit, use and parts of that use. */
const HIERARCHIES = [
  {
    folder: "sys/fs/cgroup",
    limit: "memory.max",
    used: "memory.current",
    isMine: (line) => line.startsWith("0::"),
  },
  {
    folder: "sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    isMine: (line) => line.split(":")[1]?.split(",").includes("memory"),
  },
];

/**
 * How much memory this process could still take: of the machine (swap included), and of every control group that it is
 * in, which is how containers and services are limited. Caches that the kernel can reclaim count as free.
 * @param {string} [root] of the file system, for tests
 * @returns {Promise<number | null>} bytes; null where unknown (macOS)
 */
export async function readFreeMemory(root = "/") {
  const machine = await readOrNull(join(root, "proc/meminfo"));
  const groups = await readOrNull(join(root, "proc/self/cgroup"));
  if (machine === null) return null;
  const kilobytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(machine)?.[1] ?? 0);
  const free = [(kilobytes("MemAvailable") + kilobytes("SwapFree")) * 1024];
  for (const { folder, limit, used, isMine } of HIERARCHIES) {
    let path = groups?.split("\n").find(isMine)?.split(":").slice(2).join(":");
    for (let steps = 0; path !== undefined && steps < MAX_GROUPS; steps++) {
      const group = join(root, folder, path);
      const [limitBytes, usedBytes, parts] = [
        await readOrNull(join(group, limit)),
        await readOrNull(join(group, used)),
        await readOrNull(join(group, "memory.stat")),
      ];
      // `max`: no limit.
      if (limitBytes !== null && Number.isFinite(Number(limitBytes))) {
        const cached = Number(/^(?:total_)?inactive_file (\d+)$/m.exec(parts ?? "")?.[1] ?? 0);
        free.push(Number(limitBytes) - Number(usedBytes) + cached);
      }
      path = path === "/" ? undefined : dirname(path);
    }
  }
  return Math.max(0, Math.min(...free));
}

/** A missing file means nothing: each kernel has only some of them. */
async function readOrNull(path) {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    return null;
  }
}
