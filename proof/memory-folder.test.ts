import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeMemoryFolder } from "../scripts/memory-folder.mjs";

/** A file system of its own, with as much memory as a run needs. */
let root: string;
let shared: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sluice-memory-"));
  onTestFinished(() => rm(root, { recursive: true }));
  shared = join(root, "dev/shm");
  await mkdir(shared, { recursive: true });
  await layMachine({ options: "rw,nosuid,nodev", freeKilobytes: 16_000_000 });
});

async function layMachine({ options, freeKilobytes }: { options: string; freeKilobytes: number }) {
  await mkdir(join(root, "proc/self"), { recursive: true });
  await writeFile(join(root, "proc/self/mounts"), `shm /dev/shm tmpfs ${options} 0 0\n`);
  await writeFile(join(root, "proc/meminfo"), `MemAvailable: ${freeKilobytes} kB\nSwapFree: 0 kB\n`);
}

test("a test run gets a folder that every user of the machine may use, like /tmp", async () => {
  const folder = (await makeMemoryFolder(root, 1)) ?? "";
  expect(dirname(folder)).toBe(shared);
  expect((await stat(folder)).mode & 0o7777).toBe(0o1777);
});

test("the folders of killed runs go, those of others stay", async () => {
  await mkdir(join(shared, "sluice-tests-4242-abandoned/postgres"), { recursive: true });
  await mkdir(join(shared, "sluice-tests-4343-running"));
  await mkdir(join(root, "proc/4343"));
  await writeFile(join(shared, "something-else"), "");
  await makeMemoryFolder(root, 1);
  const kept = (await readdir(shared)).filter((name) => !name.startsWith(`sluice-tests-${process.pid}-`));
  expect(kept.sort()).toEqual(["sluice-tests-4343-running", "something-else"]);
});

test.each([
  ["nothing of it may be executed", { options: "rw,nosuid,nodev,noexec", freeKilobytes: 16_000_000 }],
  ["nothing may be written", { options: "ro", freeKilobytes: 16_000_000 }],
  ["memory is short", { options: "rw", freeKilobytes: 8_000_000 }],
])("there is none where %s", async (_, machine) => {
  await layMachine(machine);
  expect(await makeMemoryFolder(root, 1)).toBeNull();
  expect(await readdir(shared)).toEqual([]);
});

test("there is none where less is left than a run needs", async () => {
  expect(await makeMemoryFolder(root, Number.MAX_SAFE_INTEGER)).toBeNull();
});

test("there is none where the system has no shared memory", async () => {
  await rm(shared, { recursive: true });
  expect(await makeMemoryFolder(root, 1)).toBeNull();
});
