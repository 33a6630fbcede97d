/**
 * A backup of a product under load, restored into both kinds of PostgreSQL: a new embedded one, and an operator's over
 * TCP. The result is compared row by row independently of the restore, and the product runs on it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyAuditLog } from "@/lib/core/audit/verify-audit-log";
import { createDemo } from "@/lib/core/demo/create-demo";
import { restoreProduct } from "@/lib/core/exports/restore-product";
import { readClosedGates } from "@/lib/core/keys/gates";
import { openGates } from "@/lib/core/keys/switch-gates";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { readSession } from "@/lib/core/sign-in/read-session";
import { signInWithPassword } from "@/lib/core/sign-in/sign-in-with-password";
import { writeBackup } from "@/lib/db/backup/write-backup";
import { openEngine } from "@/lib/db/database";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import type { Engine } from "@/lib/db/engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { adoptSecret, loadSecret } from "@/lib/db/secret";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { createEncryption } from "@/lib/platform/encryption";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { moveAnything } from "@/lib/testing/api";
import { CarefulClient } from "@/lib/testing/careful-client";
import { auditBooks } from "@/lib/testing/conservation";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import { readExportedBooks } from "@/lib/testing/exported-books";
import { createTestOrganization } from "@/lib/testing/organization";
import { findFreePort, removeDataDirectory, startProduct } from "@/lib/testing/product-process";
import { startTcpPostgres, type TcpPostgres } from "@/lib/testing/servers/tcp-postgres";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";
import { createTestWebhooks } from "@/lib/testing/webhooks";
import { readGatesPage } from "@/lib/views/gates/read-gates-page";

const ANSWERS_BEFORE = 30;
const KEYS = 30;

let folder: string;
let program: BuiltProgram;
let tcp: TcpPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-backup-"));
  [program, tcp] = await Promise.all([
    buildProgram("lib/testing/product-process-main.ts"),
    startTcpPostgres(),
  ]);
});
afterAll(async () => {
  await tcp.stop();
  await program.remove();
  for (const name of ["home", "new-home"]) await removeDataDirectory(join(folder, name));
  await rm(folder, { recursive: true, force: true });
});

describe("a backup of everything, made under load", () => {
  it("is restored completely into either kind of PostgreSQL, keeps its money, and works once the gates are opened", {
    timeout: 600_000,
  }, async () => {
    const home = join(folder, "home");
    const original = await openScene(home);
    const { client, organizationId } = original;
    const load = new AbortController();
    const loading = client.load(original.product.apiUrl, load.signal);
    await Promise.race([
      loading,
      waitUntil("the load is running", () => client.answers.size >= ANSWERS_BEFORE),
    ]);
    const answeredBefore = [...client.answers.values()];
    const busy = join(folder, "busy.backup");
    await writeBackup({ owner: original.engine.owner, secret: original.secret, path: busy });
    load.abort();
    await loading;
    await original.product.kill();
    const quiet = join(folder, "quiet.backup");
    await writeBackup({ owner: original.engine.owner, secret: original.secret, path: quiet });
    // The operator's own PostgreSQL, with an idle database: the same rows.
    const url = await tcp.createDatabase("restored");
    const external = await openEngine(
      loadConfig({ DATABASE_URL: url, SLUICE_SECRET: original.secret, SLUICE_DATA_DIR: folder }),
    );
    const restored = {
      clock: systemClock,
      acceptProblems: false,
      secret: original.secret,
    };
    await restoreProduct({ ...restored, engine: external, path: quiet, hold: false });
    expect(await digestTables(external)).toEqual(await digestTables(original.engine));
    await original.engine.leave();
    // A new data folder, with the busy database: complete up to the backup.
    const newHome = join(folder, "new-home");
    await adoptSecret(newHome, join(home, "secret"));
    const embedded = await openEmbeddedEngine({ dataDirectory: newHome, fsync: false });
    const { heldCount } = await restoreProduct({ ...restored, engine: embedded, path: busy, hold: true });
    expect(heldCount).toBe(2);
    for (const engine of [external, embedded]) await expectSound(engine, organizationId, answeredBefore);
    await expectHeldThenOpen(embedded, newHome, original);
    await expectRunning(external, { DATABASE_URL: url, SLUICE_SECRET: original.secret }, newHome, original);
    await embedded.leave();
  });
});

/** The complete demo, and a second organization whose keys move money while the backup is made. */
async function openScene(dataDirectory: string) {
  const engine = await openEmbeddedEngine({ dataDirectory, fsync: false });
  await prepareDatabase(engine);
  const secret = await loadSecret({ secret: null, dataDirectory });
  const [pool, ownerPool] = [createPool(engine.application), createPool(engine.owner)];
  const ports = {
    bank: createSandboxBank(pool),
    aggregator: createSandboxAggregator(pool),
    webhooks: { ...createTestWebhooks(), secrets: createEncryption(secret, "webhook signing secrets") },
  };
  const services = createRealTimeServices(pool);
  const demo = await createDemo(services, ports, { appUrl: services.appUrl, dataDirectory });
  if (!demo) throw new Error("There is a demo already");
  const organization = await createTestOrganization({ pool, ownerPool }, services);
  const pods: string[] = [];
  for (const name of ["Operating", "Taxes"])
    pods.push(await organization.addAccount({ name, type: "POD", balanceInCents: 9_000_000 }));
  const keys: string[] = [];
  for (let made = 0; made < KEYS; made++) keys.push((await organization.addKey([moveAnything(false)])).text);
  await Promise.all([pool.end(), ownerPool.end()]);
  const [sourceAccountId = "", destinationAccountId = ""] = pods;
  const product = await startProduct({ program: program.path, dataDirectory, port: await findFreePort() });
  const planned = { sourceAccountId, destinationAccountId, amountInCents: 101, keyGroup: "all" };
  return {
    product,
    engine,
    organizationId: organization.organizationId,
    client: new CarefulClient(() => planned, { all: keys }),
    planned,
    keyText: keys.at(-1) ?? "",
    secret,
    demo,
  };
}
type Scene = Awaited<ReturnType<typeof openScene>>;

/** Every row of every table, as an auditor with psql would read it: sorted, joined and digested by PostgreSQL. */
async function digestTables(engine: Pick<Engine, "owner">): Promise<Record<string, string>> {
  const owner = new pg.Client(engine.owner);
  await owner.connect();
  try {
    await owner.query("set timezone = 'UTC'");
    const { rows } = await owner.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    );
    const digests: Record<string, string> = {};
    for (const { name } of rows) {
      const found = await owner.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(r::text, E'\\n' order by r::text collate "C")), '') as digest from "${name}" r`,
      );
      digests[name] = found.rows[0]?.digest ?? "";
    }
    return digests;
  } finally {
    await owner.end();
  }
}

/** Books, audit log, and nothing missing that was answered before the backup began. */
async function expectSound(
  engine: Pick<Engine, "owner">,
  organizationId: string,
  answered: string[],
): Promise<void> {
  const ownerPool = createPool(engine.owner);
  try {
    const books = await auditBooks({ ownerPool }, organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [], unbookedCauses: [] });
    expect((await verifyAuditLog(ownerPool, organizationId, null, { isSealed: false })).problems).toEqual([]);
    const { rows } = await ownerPool.query<{ id: string }>("select id from transfers where id = any($1)", [
      answered,
    ]);
    expect(rows.length).toBe(answered.length);
  } finally {
    await ownerPool.end();
  }
}

async function propose(
  apiUrl: string,
  { keyText, planned }: Scene,
): Promise<{ status: number; id: string | null; text: string }> {
  const { keyGroup: _, ...transfer } = planned;
  const response = await fetch(`${apiUrl}/transfers`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${keyText}`,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    },
    body: JSON.stringify(transfer),
  });
  const text = await response.text();
  return { status: response.status, id: /"id":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? null, text };
}

/** Nothing moves, neither new nor waiting; members sign in as before, and one opens the gates. */
async function expectHeldThenOpen(engine: Engine, dataDirectory: string, scene: Scene): Promise<void> {
  const product = await startProduct({ program: program.path, dataDirectory, port: await findFreePort() });
  const pool = createPool(engine.application);
  const ownerPool = createPool(engine.owner);
  try {
    expect(await propose(product.apiUrl, scene)).toMatchObject({
      status: 403,
      text: expect.stringContaining("gates"),
    });
    const services = { ...createRealTimeServices(pool), clock: systemClock };
    const mara = scene.demo.members.find(({ role }) => role === "OWNER");
    if (!mara) throw new Error("The demo has no owner");
    const browser = { networkAddress: null, userAgent: "test", browserIds: [] };
    const outcome = await signInWithPassword(services, mara, browser);
    const session = outcome.kind === "SIGNED_IN" ? await readSession(services, outcome.sessionId) : null;
    if (!session) throw new Error("The owner cannot sign in");
    const context = memberContext(services, session);
    // The demo's cards, returns, failures and rules, checked by other readers.
    const books = await readExportedBooks(pool, context.organizationId);
    expect(books.transactionCount).toBeGreaterThan(100);
    const closed = await readClosedGates(pool, context.organizationId);
    expect(closed?.closedBy).toEqual({ id: null, name: "Sluice’s restore from a backup" });
    const confirmation = { kind: "PASSWORD" as const, password: mara.password };
    expect(await openGates(services, context, { closingId: closed?.id ?? "", confirmation })).toEqual({
      kind: "OPENED",
    });
    expect(await readClosedGates(pool, context.organizationId)).toBeNull();
    const page = await readGatesPage({
      services,
      context,
      time: {
        nowAt: context.now.toISOString(),
        timeZone: "UTC",
        locale: "en-US",
      },
    });
    expect(page.past[0]).toMatchObject({ id: closed?.id, closedByName: "Sluice’s restore from a backup" });
    // Everyone who may open them is notified why they are closed.
    await waitUntil("the owner is notified", async () => {
      const { rowCount } = await ownerPool.query(
        "select from messages where organization_id = $1 and kind = 'GATES_CLOSED' and subject like '%Sluice’s restore%'",
        [context.organizationId],
      );
      return (rowCount ?? 0) > 0;
    });
    // The other organization's gates stay closed.
    expect(await readClosedGates(pool, scene.organizationId)).not.toBeNull();
  } finally {
    await product.kill();
    await Promise.all([pool.end(), ownerPool.end()]);
  }
}

/** A transfer runs from the request to booked money. */
async function expectRunning(
  engine: Engine,
  environment: Record<string, string>,
  dataDirectory: string,
  scene: Scene,
): Promise<void> {
  const product = await startProduct({
    program: program.path,
    dataDirectory,
    port: await findFreePort(),
    environment,
  });
  const pool = createPool(engine.application);
  try {
    const { status, id } = await propose(product.apiUrl, scene);
    expect(status).toBe(202);
    await waitUntil("the transfer is complete", async () => {
      const { rowCount } = await pool.query("select from transfers where id = $1 and status = 'COMPLETE'", [
        id,
      ]);
      return rowCount === 1;
    });
  } finally {
    await product.kill();
    await pool.end();
  }
}
