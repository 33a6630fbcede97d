/**
 * The machine's disk is lost under load, or a mistake is noticed: the archive brings back the second before. Promise:
 * what was acknowledged a few seconds before is there, nothing moves, and books and audit log are verified.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listBases } from "@/lib/db/archive/archive-folder";
import { openArchiver } from "@/lib/db/archive/archiver";
import { asSuperuser, clusterPath, openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { moveAnything } from "@/lib/testing/api";
import { CarefulClient } from "@/lib/testing/careful-client";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  findFreePort,
  readPostmasterPid,
  removeDataDirectory,
  startProduct,
} from "@/lib/testing/product-process";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

const KEYS = 40;
const SECRET = "s".repeat(40);
/** The archive copies every second; a busy machine takes longer. */
const LONGEST_LOSS_MS = 5_000;
const log = { info() {}, warn() {}, error() {} };

let product: BuiltProgram;
let restore: BuiltProgram;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-moment-"));
  [product, restore] = await Promise.all([
    buildProgram("lib/testing/product-process-main.ts"),
    buildProgram("scripts/restore.ts"),
  ]);
});
afterAll(async () => {
  await Promise.all([product?.remove(), restore?.remove()]);
  await removeDataDirectory(join(folder, "home"));
  await rm(folder, { recursive: true, force: true });
});

test("a lost disk costs the last seconds, and the restored product moves nothing", {
  timeout: 240_000,
}, async () => {
  const [dataDirectory, archive] = [join(folder, "home"), join(folder, "archive")];
  const engine = await openEmbeddedEngine({ dataDirectory });
  await prepareDatabase(engine);
  const [pool, ownerPool] = [createPool(engine.application), createPool(engine.owner)];
  const organization = await createTestOrganization({ pool, ownerPool }, createRealTimeServices(pool));
  const pods: string[] = [];
  for (const name of ["Operating", "Taxes"])
    pods.push(await organization.addAccount({ name, type: "POD", balanceInCents: 100_000_000 }));
  const keys: string[] = [];
  for (let made = 0; made < KEYS; made++) keys.push((await organization.addKey([moveAnything(false)])).text);
  const [sourceAccountId = "", destinationAccountId = ""] = pods;
  const client = new CarefulClient(
    () => ({ sourceAccountId, destinationAccountId, amountInCents: 100, keyGroup: "keys" }),
    { keys },
  );
  // Beside the product, which would wait a minute before its first copy.
  const archiver = openArchiver({
    connection: asSuperuser(engine.owner),
    dataPath: clusterPath(dataDirectory),
    directory: archive,
    days: 2,
    log,
    firstCopyAfterMs: 0,
  });
  await waitUntil("a copy is made", async () => (await listBases(archive)).length > 0, 60_000);
  const environment = { SLUICE_SECRET: SECRET, SLUICE_ARCHIVE: "0" };
  const running = await startProduct({
    program: product.path,
    dataDirectory,
    port: await findFreePort(),
    environment,
  });
  const stop = new AbortController();
  const load = client.load(running.apiUrl, stop.signal);
  await Promise.race([load, waitUntil("the load is running", () => client.answers.size >= 300, 120_000)]);
  const lostAt = Date.now();
  const acknowledged = new Map(client.answers);
  stop.abort();
  process.kill(await readPostmasterPid(dataDirectory), "SIGKILL");
  await running.kill();
  await load.catch(() => undefined);
  await Promise.allSettled([pool.end(), ownerPool.end()]);
  await engine.leave().catch(() => undefined);
  await archiver.stop();
  await removeDataDirectory(dataDirectory);

  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [restore.path, "--to", "latest", "--archive", archive],
    {
      env: {
        ...process.env,
        DATABASE_URL: "",
        APP_URL: "",
        SLUICE_DATA_DIR: dataDirectory,
        SLUICE_SECRET: SECRET,
      },
    },
  );
  const tookMs = performance.now() - startedAt;
  expect(stdout).toContain("The books balance, the audit log is whole.");
  expect(stdout).toContain("All gates are closed (organizations that had open ones: 1)");

  const restored = await openEmbeddedEngine({ dataDirectory });
  const restoredPool = createPool(restored.owner);
  const { rows } = await restoredPool.query<{ id: string; at: Date }>(
    "select id, updated_at as at from transfers order by id desc",
  );
  const ids = new Set(rows.map(({ id }) => id));
  const missing = [...acknowledged.values()].filter((id) => !ids.has(id)).sort();
  // An id of version 7 begins with the time at which it was made.
  const [oldest = ""] = missing;
  const lostMs = oldest === "" ? 0 : lostAt - Number.parseInt(oldest.replace("-", "").slice(0, 12), 16);
  process.stdout.write(
    `acknowledged ${acknowledged.size}, lost ${missing.length} of the last ${lostMs} ms, restored in ${Math.round(tookMs)} ms\n`,
  );
  expect(lostMs).toBeLessThan(LONGEST_LOSS_MS);
  const gates = await restoredPool.query("select from gate_closings where opened_at is null");
  expect(gates.rowCount).toBe(1);
  await restoredPool.end();
  await restored.leave();
});
