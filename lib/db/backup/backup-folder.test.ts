import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { hold } from "@/lib/db/backup/hold";
import { backupName, PARTIAL, readBackupAge, removeOldBackups, writeRestoreTest } from "./backup-folder";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-backups-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

const nameOf = (prefix: string, day: number) => backupName(prefix, new Date(Date.UTC(2026, 10, day)));
const newest = (count: number) => ({ newest: count, days: 0, weeks: 0, months: 0 });
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
  expect(await removeOldBackups(folder, "sluice", newest(2))).toEqual([first]);
  expect((await readdir(folder)).sort()).toEqual([...others, second, third].sort());
});

test("leaves a backup in progress alone, and removes leftovers of a dead process", async () => {
  const underWay = `${nameOf("sluice", 1)}${PARTIAL}0a1b2c3d`;
  const abandoned = `${nameOf("sluice", 2)}${PARTIAL}4e5f6a7b`;
  await write(underWay, abandoned);
  await age(abandoned, 2 * 3_600_000);
  expect(await removeOldBackups(folder, "sluice", newest(1))).toEqual([]);
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

test("keeps what is being read until it is released, or its reader is gone", async () => {
  const [first = "", second = "", third = ""] = [1, 2, 3].map((day) => nameOf("sluice", day));
  await write(first, second, third);
  const release = await hold(join(folder, first));
  const held = (await readdir(folder)).find((name) => name.startsWith(`${first}.reading-`)) ?? "";
  expect(await removeOldBackups(folder, "sluice", newest(1))).toEqual([second]);
  await age(held, 2 * 3_600_000);
  expect(await removeOldBackups(folder, "sluice", newest(1))).toEqual([first]);
  await release();
  expect(await readdir(folder)).toEqual([third]);
});

test("keeps the last backup that a restore test proved, since newer ones may be useless", async () => {
  const names = [1, 2, 3].map((day) => nameOf("sluice", day));
  await write(...names);
  const at = new Date(Date.UTC(2026, 10, 4));
  await writeRestoreTest(folder, {
    backup: names[2] ?? "",
    startedAt: at,
    endedAt: at,
    problem: "The books do not balance.",
    outcome: "FAILED",
    seconds: 3,
    provenBackup: names[0] ?? "",
    provenAt: at,
  });
  expect(await removeOldBackups(folder, "sluice", newest(1))).toEqual([names[1]]);
});

test("keeps encrypted and plain ones of days and months together", async () => {
  const plain = nameOf("sluice", 1);
  const encrypted = backupName("sluice", new Date(Date.UTC(2026, 10, 1, 12)), true);
  const old = nameOf("sluice", -40);
  await write(plain, encrypted, old);
  expect(await removeOldBackups(folder, "sluice", { newest: 1, days: 2, weeks: 0, months: 2 })).toEqual([
    plain,
  ]);
  expect((await readdir(folder)).sort()).toEqual([old, encrypted].sort());
});
