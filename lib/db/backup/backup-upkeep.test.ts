import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { backupName, type RestoreTest, readRestoreTest } from "@/lib/db/backup/backup-folder";
import { isTestDue, openBackupUpkeep } from "@/lib/db/backup/backup-upkeep";
import { useTestDatabase } from "@/lib/testing/database";
import { waitUntil } from "@/lib/testing/wait-until";

/** Protects: the newest backup is restored once a week, by one process, and a test that told nothing is not a success. */

const database = useTestDatabase();
const NOW = new Date("2026-11-29T12:00:00Z");
const DAY_MS = 86_400_000;
const log = { info() {}, warn() {}, error() {} };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-upkeep-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

function last(outcome: RestoreTest["outcome"], days: number, backup = "newest"): RestoreTest {
  const startedAt = new Date(NOW.getTime() - days * DAY_MS);
  return {
    backup,
    startedAt,
    endedAt: startedAt,
    problem: null,
    outcome,
    seconds: 1,
    provenBackup: null,
    provenAt: null,
  };
}

describe("a restore test is due", () => {
  it.each<[string, RestoreTest | null, boolean]>([
    ["at first", null, true],
    ["not the day after a success", last("SUCCEEDED", 1, "older"), false],
    ["a week after one", last("SUCCEEDED", 7), true],
    ["the day after a failure, of a newer backup", last("FAILED", 1, "older"), true],
    ["not again of the same backup", last("FAILED", 1), false],
    ["not within a day of a failure", last("FAILED", 0.5, "older"), false],
    ["the day after one that could not be made, of a newer backup", last("IMPOSSIBLE", 1.5, "older"), true],
    ["not while one runs", last("RUNNING", 0.1), false],
    ["after one that was killed", last("RUNNING", 0.3), true],
  ])("%s", (_when, found, expected) => expect(isTestDue(found, "newest", NOW)).toBe(expected));
});

it("runs in one of several processes, and a test that is killed does not count as a success", async () => {
  await writeFile(join(folder, backupName("sluice", NOW)), "x");
  let running = 0;
  let most = 0;
  let ran = 0;
  const open = () =>
    openBackupUpkeep({
      connection: database.ownerConnection,
      backups: { directory: folder, command: null, isTested: true },
      log,
      firstAfterMs: 0,
      runTest: async () => {
        running += 1;
        ran += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return { problem: "It was ended by SIGKILL.", output: "" };
      },
    });
  const processes = [open(), open(), open()];
  await waitUntil("one has tested", async () => (await readRestoreTest(folder)) !== null);
  await Promise.all(processes.map((one) => one.stop()));
  expect([ran, most]).toEqual([1, 1]);
  expect(await readRestoreTest(folder)).toMatchObject({
    outcome: "IMPOSSIBLE",
    problem: "It was ended by SIGKILL.",
    provenAt: null,
  });
});
