/** Runs the operator's command as its own process, with and without a running server. */
import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { newId } from "@/lib/platform/ids";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import { altered, arrangeReplayedRun } from "@/lib/testing/rules/rule-runs";

let folder: string;
let program: BuiltProgram;
let database: { pool: pg.Pool; ownerPool: pg.Pool };
let stopServer: () => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-replay-"));
  // When run as root, the server's account needs access to the folder.
  await chmod(folder, 0o711);
  program = await buildProgram("scripts/replay.ts");
  const engine = await openEmbeddedEngine({ dataDirectory: folder });
  await prepareDatabase(engine);
  database = { pool: createPool(engine.application), ownerPool: createPool(engine.owner) };
  let isStopped = false;
  stopServer = async () => {
    if (isStopped) return;
    isStopped = true;
    await Promise.all([database.pool.end(), database.ownerPool.end()]);
    await engine.leave();
  };
});
afterAll(async () => {
  await stopServer();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

function run(...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program.path, ...parameters], {
    encoding: "utf8",
    env: { NODE_ENV: "production", PATH: process.env.PATH, SLUICE_DATA_DIR: folder },
  });
  return { status, stdout, stderr };
}

describe("npm run replay", () => {
  it("exits with 1 and the difference if the plan differs", async () => {
    const { plan, store } = await arrangeReplayedRun(database);
    const { status, stdout } = run(await store(altered(plan)));
    expect(status).toBe(1);
    expect(stdout).toContain("DIFFERENT  1  stored $1,300.01 PERCENTAGE, recomputed $1,300.00 PERCENTAGE");
  });

  it("exits with 2 and a sentence without an id, for an unknown run, and for one without a plan", async () => {
    const { store, services } = await arrangeReplayedRun(database);
    const [missing, planless] = [newId(services.clock.now()), await store(null, null)];
    expect(run(missing)).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining(missing) });
    expect(run(planless)).toMatchObject({ status: 2, stderr: expect.stringContaining("nothing to replay") });
    expect(run("c9f2")).toMatchObject({ status: 2, stderr: expect.stringContaining("EXECUTION-ID") });
    expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining("EXECUTION-ID") });
  });

  it("exits with 0 and every amount if the plan is the same, with and without a server", async () => {
    const { plan, store } = await arrangeReplayedRun(database);
    const id = await store(plan);
    const { status, stdout, stderr } = run(id);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(`Split workshop income, version 1, run ${id}`);
    expect(stdout).toContain("same       1  stored $1,300.00 PERCENTAGE, recomputed $1,300.00 PERCENTAGE");
    expect(stdout).toContain("same       3  stored $0.00 TOP_UP SKIPPED, recomputed $0.00 TOP_UP SKIPPED");
    expect(stdout).toContain("Same plan: all 3 amounts agree.");
    await stopServer();
    expect(run(id)).toEqual({ status, stdout, stderr });
  });
});
