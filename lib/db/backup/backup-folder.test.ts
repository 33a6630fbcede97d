import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { backupName, keepNewest, PARTIAL, readBackupAge } from "./backup-folder";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-backups-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

const nameOf = (prefix: string, day: number) => backupName(prefix, new Date(Date.UTC(2026, 10, day)));
const write = (...names: string[]) => Promise.all(names.map((name) => writeFile(join(folder, name), "x")));
const age = (name: string, ms: number) => {
  const at = new Date(Date.now() - ms);
  return utimes(join(folder, name), at, at);
};

test("keeps the newest of its own kind, and touches no other files", async () => {
  const [first, second, third] = [1, 2, 3].map((day) => nameOf("sluice", day));
  const others = [
    nameOf("before-migration", 1),
    "sluice-before-the-move.backup",
    `${first}.secret`,
    "notes.txt",
  ];
  await write(first ?? "", second ?? "", third ?? "", ...others);
  expect(await keepNewest(folder, "sluice", 2)).toEqual([first]);
  expect((await readdir(folder)).sort()).toEqual([...others, second, third].sort());
});

test("leaves a backup in progress alone, and removes leftovers of a dead process", async () => {
  const underWay = `${nameOf("sluice", 1)}${PARTIAL}0a1b2c3d`;
  const abandoned = `${nameOf("sluice", 2)}${PARTIAL}4e5f6a7b`;
  await write(underWay, abandoned);
  await age(abandoned, 2 * 3_600_000);
  expect(await keepNewest(folder, "sluice", 1)).toEqual([]);
  expect(await readdir(folder)).toEqual([underWay]);
});

test("reports the age of the newest complete backup, or that there is none", async () => {
  expect(await readBackupAge(join(folder, "not-there"))).toBe(Number.POSITIVE_INFINITY);
  await write(`${nameOf("sluice", 3)}${PARTIAL}4e5f6a7b`);
  expect(await readBackupAge(folder)).toBe(Number.POSITIVE_INFINITY);
  await write(nameOf("sluice", 1), nameOf("before-migration", 2));
  await age(nameOf("sluice", 1), 9_000_000);
  await age(nameOf("before-migration", 2), 3_600_000);
  expect(Math.round((await readBackupAge(folder)) / 1_000)).toBe(3_600);
});
