import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { MEMORY_TO_BUILD_BYTES, readFreeMemory } from "../scripts/free-memory.mjs";

const GB = 1024 ** 3;
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sluice-memory-"));
  onTestFinished(() => rm(root, { recursive: true }));
});

async function lay(files: Record<string, string>): Promise<number | null> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return await readFreeMemory(root);
}

const MACHINE = {
  "proc/meminfo": "MemTotal: 9 kB\nMemAvailable:    4194304 kB\nSwapFree:        1048576 kB\n",
};

test("without a limit it is what the machine has left, swap included", async () => {
  expect(await lay({ ...MACHINE, "proc/self/cgroup": "0::/\n" })).toBe(5 * GB);
});

test("a container's limit counts, less its usage without caches (cgroup v2)", async () => {
  const free = await lay({
    ...MACHINE,
    "proc/self/cgroup": "0::/\n",
    "sys/fs/cgroup/memory.max": `${GB}\n`,
    "sys/fs/cgroup/memory.current": "300000000\n",
    "sys/fs/cgroup/memory.stat": "anon 1\ninactive_file 200000000\n",
  });
  expect(free).toBe(GB - 100_000_000);
});

test("the limit of a group above counts, too, and `max` is none (systemd's MemoryMax)", async () => {
  const free = await lay({
    ...MACHINE,
    "proc/self/cgroup": "0::/system.slice/sluice.service\n",
    "sys/fs/cgroup/system.slice/sluice.service/memory.max": "max\n",
    "sys/fs/cgroup/system.slice/memory.max": `${2 * GB}\n`,
    "sys/fs/cgroup/system.slice/memory.current": "0\n",
  });
  expect(free).toBe(2 * GB);
});

test("so does one of cgroup v1", async () => {
  const free = await lay({
    ...MACHINE,
    "proc/self/cgroup": "5:cpu,cpuacct:/\n4:memory:/sluice\n",
    "sys/fs/cgroup/memory/sluice/memory.limit_in_bytes": `${GB}`,
    "sys/fs/cgroup/memory/sluice/memory.usage_in_bytes": "24000000",
    "sys/fs/cgroup/memory/sluice/memory.stat": "total_inactive_file 24000000\n",
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
  });
  expect(free).toBe(GB);
  expect(free).toBeLessThan(MEMORY_TO_BUILD_BYTES);
});

test("where the system does not say, nothing is refused", async () => {
  expect(await lay({})).toBeNull();
});
