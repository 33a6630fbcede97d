import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { verifyAuditLog } from "@/lib/core/audit/verify-audit-log";
import { openExternalEngine } from "@/lib/db/external-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { moveAnything } from "@/lib/testing/api";
import { CarefulClient } from "@/lib/testing/careful-client";
import { auditBooks, findDisagreements } from "@/lib/testing/conservation";
import { createTestOrganization } from "@/lib/testing/organization";
import { findFreePort, type ProductProcess, startProduct } from "@/lib/testing/product-process";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";
import { type ServerPair, startServerPair } from "@/proof/failover/server-pair";

/** What happens to the primary. */
export const WAYS = ["killed", "frozen", "cut off"] as const;
export type Way = (typeof WAYS)[number];

export interface FailoverOptions {
  way: Way;
  /** Bundled `lib/testing/product-process-main.ts`. */
  program: string;
  /** How long the installation is without a primary before the standby is promoted. */
  withoutPrimaryMs: number;
  /** Answers before the failure, and again after it. */
  answers: number;
}

/** What one failover showed; anything that was lost or repeated is an error instead. */
export interface Failover {
  way: Way;
  /** Transfers answered with 202. */
  acknowledged: number;
  /** Requests without a clear answer, which were repeated with the same key. */
  unclear: number;
  /** From the failure to the order to promote. */
  withoutPrimaryMs: number;
  /** From that order to the first answer of each process. */
  gapMs: number;
  /** The longest that one request took. */
  slowestMs: number;
}

const SECRET = "s".repeat(40);
/** For 20,000 transfers: while one process looks for the primary, the other may answer 1,000 a second. */
const KEYS = 400;
/** As long as a caller waits; nothing may hang beyond it. */
const MAXIMUM_REQUEST_MS = 20_000;

/**
 * Two processes that serve, a worker and two servers, of which the primary fails under load in one of three ways while
 * the standby takes over. Afterwards the former primary comes back, as far as it can, and must not be used.
 * @throws Error if an acknowledged transfer is missing or there twice, books or audit log are wrong, or a request hangs
 */
export async function playFailover(options: FailoverOptions): Promise<Failover> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-failover-"));
  const pair = await startServerPair();
  const products: ProductProcess[] = [];
  try {
    const scene = await openScene(pair, folder);
    for (const roles of ["web,api", "web,api", "worker"])
      products.push(
        await startOne(pair, { folder: join(folder, `${products.length}`), roles, program: options.program }),
      );
    const urls = products.slice(0, 2).map(({ apiUrl }) => apiUrl);
    const failover = await failUnderLoad(pair, scene.clients, urls, options);
    await Promise.all(scene.clients.map((client, index) => client.clarify(urls[index] ?? "")));
    await checkNothingLost(scene);
    await scene.close();
    return failover;
  } finally {
    await Promise.all(products.map((product) => product.kill()));
    await pair.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startOne(pair: ServerPair, one: { folder: string; roles: string; program: string }) {
  const port = await findFreePort();
  return startProduct({
    program: one.program,
    dataDirectory: one.folder,
    port,
    environment: {
      DATABASE_URL: pair.databaseUrl,
      SLUICE_SECRET: SECRET,
      SLUICE_ROLES: one.roles,
      APP_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: "silent",
    },
  });
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** An organization with pods, and a client for each process. */
async function openScene(pair: ServerPair, folder: string) {
  const engine = await openExternalEngine({
    databaseUrl: pair.databaseUrl,
    databaseAppRole: null,
    secret: SECRET,
    dataDirectory: folder,
  });
  await prepareDatabase(engine);
  const pool = createPool(engine.application);
  const ownerPool = createPool(engine.owner);
  const organization = await createTestOrganization({ pool, ownerPool }, createRealTimeServices(pool));
  const pods: string[] = [];
  for (const name of ["Operating", "Taxes", "Payroll"])
    pods.push(await organization.addAccount({ name, type: "POD", balanceInCents: 100_000_000 }));
  const clients: CarefulClient[] = [];
  for (let process = 0; process < 2; process++) {
    const keys: string[] = [];
    for (let made = 0; made < KEYS; made++)
      keys.push((await organization.addKey([moveAnything(false)])).text);
    let planned = 0;
    const plan = () => {
      planned += 1;
      const [sourceAccountId = "", destinationAccountId = ""] = [pods[planned % 3], pods[(planned + 1) % 3]];
      return { sourceAccountId, destinationAccountId, amountInCents: 100 + (planned % 50), keyGroup: "keys" };
    };
    clients.push(new CarefulClient(plan, { keys }));
  }
  return {
    ownerPool,
    clients,
    organizationId: organization.organizationId,
    close: async () => void (await Promise.all([pool.end(), ownerPool.end()])),
  };
}

async function failUnderLoad(
  pair: ServerPair,
  clients: readonly CarefulClient[],
  urls: readonly string[],
  { way, withoutPrimaryMs, answers }: FailoverOptions,
): Promise<Failover> {
  const stop = new AbortController();
  const loads = clients.map((client, index) => client.load(urls[index] ?? "", stop.signal));
  // A refused request ends the load early, and with it the proof.
  const underLoad = <T>(work: Promise<T>) => Promise.race([work, Promise.all(loads).then(() => work)]);
  const reach = (what: string, count: number, from: readonly number[]) =>
    underLoad(
      waitUntil(
        what,
        () => clients.every(({ answers: { size } }, index) => size >= (from[index] ?? 0) + count),
        60_000,
      ),
    );
  try {
    await reach("the load is running", answers, []);
    if (way === "killed") pair.primary.kill();
    else if (way === "frozen") await pair.primary.freeze();
    else pair.primary.proxy.swallow(true);
    await pause(withoutPrimaryMs);
    const before = clients.map(({ answers: { size } }) => size);
    const promotedAt = performance.now();
    await pair.promote();
    await reach("both processes answer again", 1, before);
    const gapMs = performance.now() - promotedAt;
    // It comes back and believes to be the primary.
    if (way === "frozen") await pair.primary.thaw();
    if (way === "cut off") {
      pair.primary.proxy.swallow(false);
      pair.primary.proxy.dropAll();
    }
    await reach(
      "the load goes on",
      answers,
      clients.map(({ answers: { size } }) => size),
    );
    stop.abort();
    await Promise.all(loads);
    const slowestMs = Math.max(...clients.map((client) => client.slowestMs));
    if (slowestMs >= MAXIMUM_REQUEST_MS) throw new Error(`A request took ${Math.round(slowestMs)} ms`);
    return {
      way,
      acknowledged: clients.reduce((sum, client) => sum + client.answers.size, 0),
      unclear: clients.reduce((sum, client) => sum + client.unclearRequests, 0),
      withoutPrimaryMs,
      gapMs: Math.round(gapMs),
      slowestMs: Math.round(slowestMs),
    };
  } finally {
    stop.abort();
  }
}

async function checkNothingLost({ ownerPool, clients, organizationId }: Scene): Promise<void> {
  await waitUntil("everything is booked and sealed", () => isSettled(ownerPool), 60_000);
  const { rows } = await ownerPool.query<{ id: string; status: string }>(
    "select id, status from transfers where proposed_by_kind = 'API_KEY'",
  );
  const known = new Set(clients.flatMap(({ answers }) => [...answers.values()]));
  const missing = [...known].filter((id) => !rows.some((row) => row.id === id));
  const extra = rows.filter(({ id }) => !known.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} acknowledged transfers are missing`);
  if (extra.length > 0) throw new Error(`${extra.length} transfers were made twice`);
  if (rows.some(({ status }) => status !== "COMPLETE")) throw new Error("A transfer did not complete");
  const books = await auditBooks({ ownerPool }, organizationId);
  const wrong = [...books.wrongLedgers, ...books.negative, ...books.wrongHolds];
  const disagreements = await findDisagreements({ ownerPool }, organizationId);
  if (wrong.length + disagreements.length > 0)
    throw new Error(`The books are wrong: ${JSON.stringify(wrong)}`);
  const { problems } = await verifyAuditLog(ownerPool, organizationId);
  if (problems.length > 0) throw new Error(`The audit log is wrong: ${JSON.stringify(problems)}`);
}

async function isSettled(ownerPool: pg.Pool): Promise<boolean> {
  const { rows } = await ownerPool.query<{ open: number }>(
    `select (select count(*) from transfers where status = 'PROCESSING')::int
          + (select count(*) from audit_unsealed)::int as open`,
  );
  return rows[0]?.open === 0;
}
