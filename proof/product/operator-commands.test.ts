/**
 * The commands of an operator, as they type them: setup at its own terminal, then scheduled backups. Promise: nothing
 * that decides how the books are kept is guessed, and backups do not fill the disk.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import { removeDataDirectory } from "@/lib/testing/product-process";

const TIMEOUT_MS = 60_000;
const PASSWORD = "correct horse battery staple";

let dataDirectory: string;
let setup: BuiltProgram;
let backup: BuiltProgram;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "sluice-commands-"));
  [setup, backup] = await Promise.all([buildProgram("scripts/setup.ts"), buildProgram("scripts/backup.ts")]);
});
afterAll(async () => {
  await Promise.all([setup?.remove(), backup?.remove()]);
  await removeDataDirectory(dataDirectory);
});

function environment(besides: Record<string, string> = {}) {
  return {
    ...process.env,
    SLUICE_DATA_DIR: dataDirectory,
    SLUICE_DEMO: "0",
    DATABASE_URL: "",
    APP_URL: "",
    LOG_LEVEL: "error",
    NODE_ENV: "production" as const,
    TZ: "UTC",
    ...besides,
  };
}

/** Runs a command at a terminal, and types each answer when its question appears. */
async function runAtTerminal(program: string, answers: readonly [question: string, answer: string][]) {
  const node = [process.execPath, program];
  const parameters =
    process.platform === "darwin" ? ["-q", "/dev/null", ...node] : ["-qec", node.join(" "), "/dev/null"];
  const child = spawn("script", parameters, { env: environment(), timeout: TIMEOUT_MS });
  const waiting = [...answers];
  let shown = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    const [next] = waiting;
    const at = next ? shown.indexOf(next[0], seen) : -1;
    if (!next || at === -1) return;
    seen = at + next[0].length;
    waiting.shift();
    child.stdin.write(`${next[1]}\r`);
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  return { code, shown };
}

const run = (program: string, parameters: string[] = [], besides: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [program, ...parameters], {
    env: environment(besides),
    timeout: TIMEOUT_MS,
  });

test("setup without a terminal and without an answer changes nothing, and says how to answer it", async () => {
  const attempt = run(setup.path, ["--unless-done"]);
  await expect(attempt).rejects.toThrow(/There is no organization yet.*docker compose run --rm setup/);
});

test("setup asks for kind and time zone, and uses the answers", async () => {
  const { code, shown } = await runAtTerminal(setup.path, [
    ["Name of the organization", "Northwind Studio"],
    ["Your name", "Mara Lindqvist"],
    ["Your email", "mara@northwind.example"],
    ["BUSINESS or INDIVIDUAL [BUSINESS]", "individual"],
    ["Time zone of your business days [UTC]", "America/Chicago"],
    ["Your password", PASSWORD],
    ["Once more", PASSWORD],
  ]);
  expect(shown).toContain("Northwind Studio is set up.");
  expect(shown).not.toContain(PASSWORD);
  expect(code).toBe(0);
  const engine = await openEmbeddedEngine({ dataDirectory });
  const pool = createPool(engine.owner);
  const { rows } = await pool.query(`select name, kind, time_zone as "timeZone" from organizations`);
  await pool.end();
  await engine.leave();
  expect(rows).toEqual([{ name: "Northwind Studio", kind: "INDIVIDUAL", timeZone: "America/Chicago" }]);
});

test("setup before every start succeeds once it is done; otherwise it refuses a second organization", async () => {
  expect((await run(setup.path, ["--unless-done"])).stdout).toBe("");
  await expect(run(setup.path)).rejects.toThrow("An organization already exists");
});

test("a fixed number of backups is kept, and one with its own name is never removed", async () => {
  const folder = join(dataDirectory, "backups");
  const kept = { SLUICE_BACKUPS_KEPT: "1" };
  await run(backup.path, [], kept);
  const [first] = await readdir(folder);
  await run(backup.path, ["--out", join(folder, "monday.backup")], kept);
  const { stdout } = await run(backup.path, [], kept);
  expect(stdout).toContain(`Removed, beyond SLUICE_BACKUPS_KEPT and its days, weeks and months: ${first}`);
  const names = await readdir(folder);
  expect(names).toHaveLength(2);
  expect(names).toContain("monday.backup");
  expect(names).not.toContain(first);
});
