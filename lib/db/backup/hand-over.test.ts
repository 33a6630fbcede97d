import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { backupName, readHandOver, writeHandOver } from "@/lib/db/backup/backup-folder";
import { handOverBackups, readHandOverFigures } from "@/lib/db/backup/hand-over";
import { runCommand } from "@/lib/db/backup/run-command";

/** Protects: each backup reaches the operator's command, once, and one that does not is seen and tried again. */

let folder: string;
let program: string;
const logged: { problem?: string; output?: string }[] = [];
const log = {
  info: (entry: object) => void logged.push(entry),
  error: (entry: object) => void logged.push(entry),
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-hand-over-"));
  program = join(folder, "copy it.sh");
  logged.length = 0;
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const nameOf = (day: number) => backupName("sluice", new Date(Date.UTC(2026, 10, day)));
const addBackup = (day: number) => writeFile(join(folder, nameOf(day)), `backup ${day}`);

async function setProgram(lines: string): Promise<void> {
  await writeFile(program, `#!/bin/sh\n${lines}\n`);
  await chmod(program, 0o700);
}

const handOver = (isAtOnce = false, timeoutMs = 20_000) =>
  handOverBackups({ directory: folder, command: { path: program, timeoutMs }, log }, isAtOnce);
const taken = async () => (await readFile(join(folder, "taken"), "utf8")).trim().split("\n");

test("gets the path as its first argument and in its environment, without Sluice's secrets or a shell", async () => {
  process.env.SLUICE_SECRET = "a secret of tests that has enough characters";
  process.env.OF_THE_OPERATOR = "theirs";
  onTestFinished(() => {
    delete process.env.SLUICE_SECRET;
    delete process.env.OF_THE_OPERATOR;
  });
  await setProgram(
    'echo "$#|$1|$SLUICE_BACKUP_FILE|$SLUICE_SECRET|$OF_THE_OPERATOR" >> "$(dirname "$1")/taken"',
  );
  await addBackup(1);
  expect(await handOver()).toBeNull();
  const path = join(folder, nameOf(1));
  expect(await taken()).toEqual([`1|${path}|${path}||theirs`]);
});

test("gets each backup once, oldest first; of those before it only the newest", async () => {
  await setProgram('basename "$1" >> "$(dirname "$1")/taken"');
  await Promise.all([1, 2, 3].map(addBackup));
  await handOver();
  await Promise.all([5, 4].map(addBackup));
  await handOver();
  await handOver();
  expect(await taken()).toEqual([nameOf(3), nameOf(4), nameOf(5)]);
  expect(await readHandOverFigures(folder)).toEqual({ waitingMs: 0, failures: 0 });
});

test("a failure is counted, shown and repeated after a pause that grows", async () => {
  await setProgram("echo the disk is full >&2; exit 3");
  await addBackup(1);
  expect(await handOver()).toBe("It ended with 3.");
  expect(logged).toEqual([
    expect.objectContaining({ problem: "It ended with 3.", output: "the disk is full\n" }),
  ]);
  expect(await handOver()).toBe("It ended with 3.");
  // Not run again: a minute has to pass.
  expect(logged).toHaveLength(1);
  const state = await readHandOver(folder);
  if (!state) throw new Error("Nothing was kept.");
  await writeHandOver(folder, {
    ...state,
    lastAttemptAt: new Date((state.lastAttemptAt?.getTime() ?? 0) - 61_000),
  });
  await handOver();
  const { waitingMs, failures } = await readHandOverFigures(folder);
  expect([waitingMs > 0, failures]).toEqual([true, 2]);
  await setProgram("exit 0");
  expect(await handOver(true)).toBeNull();
  expect(await readHandOverFigures(folder)).toEqual({ waitingMs: 0, failures: 2 });
});

test("is ended with all that it started when it takes too long", async () => {
  await setProgram('sleep 600 & echo $! > "$(dirname "$1")/taken"; wait');
  await addBackup(1);
  expect(await handOver(true, 1_000)).toMatch(/longer than/);
  const [pid] = await taken();
  expect(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "Z")).toMatch(/Z|\) Z/);
});

test("is ended in time although memory is collected meanwhile, as in an hour it is", async () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("Node runs without its collector");
  const collecting = setInterval(() => Reflect.apply(collect, undefined, []), 50);
  onTestFinished(() => clearInterval(collecting));
  await setProgram("exec sleep 15");
  await addBackup(1);
  expect(await handOver(true, 1_000)).toMatch(/longer than/);
});

test("keeps the end of a long output, and says what could not be started", async () => {
  const result = await runCommand({
    path: process.execPath,
    parameters: ["-e", "process.stdout.write('x'.repeat(1e6) + 'end')"],
    environment: {},
    directory: folder,
    timeoutMs: 20_000,
  });
  expect(result).toEqual({ problem: null, output: `${"x".repeat(3_997)}end` });
  await addBackup(1);
  program = join(folder, "none");
  expect(await handOver()).toMatch(/could not be started/);
});
