/**
 * The API in one process and the worker in another, as behind a load balancer. Promise: what one accepts the other does
 * at once instead of at its next poll, each says which role it lacks, and neither loads what it does not need.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { projectPath } from "@/lib/platform/project-path";
import { moveAnything } from "@/lib/testing/api";
import { buildProgram } from "@/lib/testing/embedded-process";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  findFreePort,
  type ProductProcess,
  removeDataDirectory,
  startProduct,
} from "@/lib/testing/product-process";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

/**
 * The polling interval of lib/core/work/due-work.ts for accounts to open: without signals, each but the first waits
 * about that long.
 */
const POLL_INTERVAL_MS = 5_000;
const MOST_ROUNDS = 8;

type Scene = Awaited<ReturnType<typeof openScene>>;
let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
}, 120_000);
afterAll(() => scene?.close());

async function openScene() {
  const program = await buildProgram("lib/testing/product-process-main.ts");
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-roles-"));
  const engine = await openEmbeddedEngine({ dataDirectory });
  await prepareDatabase(engine);
  const pool = createPool(engine.application);
  const ownerPool = createPool(engine.owner);
  const processes: ProductProcess[] = [];
  const start = async (roles: string) => {
    const environment = { SLUICE_ROLES: roles, APP_URL: "http://localhost:3000" };
    const port = await findFreePort();
    const started = await startProduct({ program: program.path, dataDirectory, port, environment });
    processes.push(started);
    return new URL(started.apiUrl).origin;
  };
  const close = async () => {
    await Promise.all(processes.map((one) => one.kill()));
    await Promise.all([pool.end(), ownerPool.end()]);
    await engine.leave();
    await removeDataDirectory(dataDirectory);
    await program.remove();
  };
  try {
    // Concurrently: each prepares the database, creates what is missing and moves what must be moved.
    const [api, worker, web] = await Promise.all([start("api"), start("worker"), start("web")]);
    return { pool, ownerPool, api, worker, web, close };
  } catch (error) {
    await close();
    throw error;
  }
}

describe("an API whose worker is another process", () => {
  const arrange = async () => {
    const organization = await createTestOrganization(scene, createRealTimeServices(scene.pool));
    const add = (name: string) => organization.addAccount({ name, type: "POD", balanceInCents: 1_000_000 });
    const transfer = {
      sourceAccountId: await add("Operating"),
      destinationAccountId: await add("Taxes"),
      amountInCents: 1_250,
    };
    const { text } = await organization.addKey([moveAnything(false), { type: "CREATE_ACCOUNTS" }]);
    const post = async (path: string, body: object) => {
      const response = await fetch(`${scene.api}/platform/v1${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${text}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: response.status, id: String(Object(await response.json()).data?.id) };
    };
    return { transfer, post };
  };
  const isTrue = async (condition: string, id: string) =>
    (await scene.ownerPool.query(`select from ${condition} and id = $1`, [id])).rowCount === 1;

  it("has its work done well before the worker's next poll", async () => {
    const { post } = await arrange();
    const waitedMs: number[] = [];
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const name = `Account ${round}`;
      const startedAt = performance.now();
      const { status, id } = await post("/accounts", { type: "INCOME_SOURCE", name });
      expect(status).toBe(201);
      await waitUntil("the bank has opened it", () => isTrue("accounts where number_due_at is null", id));
      waitedMs.push(performance.now() - startedAt);
      // All but the first begin just after a look, so one quick round proves the signal; a busy machine gets more tries.
      if (round > 0 && performance.now() - startedAt < POLL_INTERVAL_MS / 2) return;
    }
    expect.fail(`Each round waited for the next poll: ${waitedMs.map(Math.round).join(", ")} ms`);
  });

  it("signals each transfer, which then completes", async () => {
    const { post, transfer } = await arrange();
    const listener = await scene.ownerPool.connect();
    onTestFinished(() => listener.release(true));
    const heard: string[] = [];
    listener.on("notification", ({ payload = "" }) => heard.push(...payload.split(",")));
    await listener.query("listen sluice_work");
    for (let made = 0; made < 3; made++) {
      heard.length = 0;
      const { status, id } = await post("/transfers", transfer);
      expect(status).toBe(202);
      // Booked as it was accepted; the worker has its events to deliver.
      await waitUntil("it is notified", () => heard.includes("deliver-events"));
      await waitUntil("it is complete", () => isTrue("transfers where status = 'COMPLETE'", id));
    }
  });
});

describe("a process", () => {
  it.each([
    { has: "api", path: "/overview", missing: "web" },
    { has: "worker", path: "/", missing: "web" },
    { has: "worker", path: "/platform/v1/accounts", missing: "api" },
    { has: "web", path: "/platform/v1/accounts", missing: "api" },
    { has: "web", path: "/mcp", missing: "api" },
    { has: "web", path: "/oauth/token", missing: "api" },
    { has: "web", path: "/.well-known/oauth-authorization-server", missing: "api" },
    { has: "worker", path: "/hooks/rules/01a0", missing: "api" },
  ] as const)(
    "with the role $has says at $path that it lacks the role $missing",
    async ({ has, path, missing }) => {
      const response = await fetch(`${scene[has]}${path}`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain(`«${missing}»`);
    },
  );

  it.each(["api", "worker", "web"] as const)("with the role %s answers load balancers", async (has) => {
    expect(await (await fetch(`${scene[has]}/healthz`)).text()).toBe("ok");
    expect(await (await fetch(`${scene[has]}/readyz`)).text()).toBe("ready");
  });

  it("with the role web is the only one to load the dashboard: no unconditional import of the launcher reaches it", async () => {
    const { metafile } = await build({
      absWorkingDir: dirname(projectPath("package.json")),
      entryPoints: ["./server.ts"],
      outdir: ".build",
      bundle: true,
      splitting: true,
      platform: "node",
      format: "esm",
      packages: "external",
      alias: { "server-only": "./node_modules/server-only/empty.js" },
      write: false,
      metafile: true,
    });
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
    const kinds = imported.filter(({ path }) => /^(next|react)(\/|$)/.test(path)).map(({ kind }) => kind);
    expect(kinds).toEqual(["dynamic-import"]);
  });
});
