/**
 * The product as a real process is killed again and again at random moments under a load of transfers, and restarted. A
 * client that repeats unclear requests, the bank and the books must agree in the end.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyAuditLog } from "@/lib/core/audit/verify-audit-log";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { moveAnything } from "@/lib/testing/api";
import { CarefulClient } from "@/lib/testing/careful-client";
import { auditBooks, findDisagreements } from "@/lib/testing/conservation";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  findFreePort,
  isRunning,
  type ProductProcess,
  readParentPid,
  readPostmasterPid,
  removeDataDirectory,
  startProduct,
} from "@/lib/testing/product-process";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

const KILLS = proofSize(1, 20);
/** A kill between two requests hits nothing: repeat until one has hit. */
const MOST_KILLS = Math.max(10, KILLS);
/** Counted in answers, not seconds, so that a busy machine proves as much as an idle one. */
const ANSWERS_BEFORE_KILL = { least: 40, most: 100 };
/** A kill hits a random point of a request, not its answer. */
const LONGEST_DELAY_MS = 40;
const HOUR_MS = 3_600_000;
/**
 * Business time between two kills: passes the bank's postings, and keeps the whole load within the 24 hours for which
 * an answer is stored, even for a client that is interrupted by every kill.
 */
const BETWEEN_KILLS_MS = HOUR_MS;
/** About 100 intents between two kills, 50 for each key, at worst all from one group. */
const KEYS_PER_GROUP = 4 * MOST_KILLS;

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram("lib/testing/product-process-main.ts");
});
afterAll(() => program.remove());

describe("kill -9 at random moments under load", () => {
  it.each([
    { what: "the process", aim: aimAtProcess },
    { what: "the process together with its PostgreSQL", aim: aimAtEverything },
  ])(
    "of $what: no accepted transfer is lost, repeated or left unfinished, and the books balance",
    { timeout: 600_000 },
    async ({ aim }) => {
      // Two random series: the timing of kills must not change what is requested.
      const moment = seededNumbers(proofSeed);
      const scene = await openScene(seededNumbers(proofSeed + 1));
      const { client } = scene;
      let product: ProductProcess | null = null;
      try {
        const hasHit = () => client.unclearRequests > 0;
        for (let killed = 0; killed < KILLS || (!hasHit() && killed < MOST_KILLS); killed++) {
          product = await scene.start();
          await scene.passTime(BETWEEN_KILLS_MS);
          const kill = await aim(product, scene.dataDirectory);
          const stop = new AbortController();
          const load = client.load(product.apiUrl, stop.signal);
          const answers = client.answers.size + moment(ANSWERS_BEFORE_KILL.least, ANSWERS_BEFORE_KILL.most);
          const isUnderWay = waitUntil("the load is running", () => client.answers.size >= answers);
          // A refused request ends the load early, and with it the test.
          await Promise.race([load, isUnderWay]);
          await pause(moment(0, LONGEST_DELAY_MS));
          // In one tick: a later kill would find every pending request answered.
          stop.abort();
          await kill();
          await load;
        }
        product = await scene.start();
        await client.clarify(product.apiUrl);
        await scene.settle();
        await expectNothingLost(scene);
      } finally {
        await product?.kill();
        await scene.close();
      }
    },
  );
});

type Kill = () => Promise<void>;

/** PostgreSQL and its supervisor outlive it for a second, and then shut down in order. */
async function aimAtProcess(product: ProductProcess): Promise<Kill> {
  return () => product.kill();
}

/** As if the machine had stopped: nothing shuts down in order. */
async function aimAtEverything(product: ProductProcess, dataDirectory: string): Promise<Kill> {
  const postmaster = await readPostmasterPid(dataDirectory);
  const supervisor = await readParentPid(postmaster);
  return async () => {
    process.kill(product.pid, "SIGKILL");
    process.kill(supervisor, "SIGKILL");
    process.kill(postmaster, "SIGKILL");
    await product.kill();
    await waitUntil("PostgreSQL is gone", async () => !(await isRunning(postmaster)));
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** Two organizations on their own embedded database, and a client with keys of both. */
async function openScene(random: (least: number, most: number) => number) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-crash-"));
  const engine = await openEmbeddedEngine({ dataDirectory });
  await prepareDatabase(engine);
  const pool = createPool(engine.application);
  const ownerPool = createPool(engine.owner);
  const port = await findFreePort();
  const parties = [await addParty({ pool, ownerPool }), await addParty({ pool, ownerPool })];
  // From here on only the product uses PostgreSQL, which stops when the product does.
  await engine.leave();

  const client = new CarefulClient(
    () => {
      const group = random(0, parties.length - 1);
      return { ...planTransfer(parties[group], random), keyGroup: keyGroup(group, random(1, 12) === 1) };
    },
    Object.fromEntries(
      parties.flatMap(({ keys, askingKeys }, group) => [
        [keyGroup(group, false), keys],
        [keyGroup(group, true), askingKeys],
      ]),
    ),
  );

  return {
    dataDirectory,
    ownerPool,
    client,
    organizationIds: parties.map(({ organizationId }) => organizationId),
    /** Starts the product with the leases of the previous one released, as they would be a minute later. */
    async start() {
      const product = await startProduct({ program: program.path, dataDirectory, port });
      await ownerPool.query("update transfers set leased_until = '-infinity' where leased_until is not null");
      return product;
    },
    passTime: (ms: number) => passTime(ownerPool, ms),
    /** Advances business time until everything has ended and the bank has nothing left to report. */
    async settle() {
      await waitUntil(
        "everything ends",
        async () => {
          const open = await countOpen(ownerPool);
          if (open > 0) await passTime(ownerPool, BETWEEN_KILLS_MS);
          return open === 0;
        },
        60_000,
      );
    },
    async close() {
      await Promise.all([pool.end(), ownerPool.end()]);
      await removeDataDirectory(dataDirectory);
    },
  };
}

const keyGroup = (party: number, asks: boolean) => `${party}${asks ? " with approval" : ""}`;

/** Little money and a floor, so that some transfers fail for lack of it. */
async function addParty(database: { pool: pg.Pool; ownerPool: pg.Pool }) {
  const services = createRealTimeServices(database.pool);
  const organization = await createTestOrganization(database, services);
  const pods: string[] = [];
  for (const [name, floorInCents] of Object.entries({
    Operating: 20_000,
    Taxes: 0,
    Payroll: 0,
    Reserve: 0,
  })) {
    pods.push(await organization.addAccount({ name, type: "POD", balanceInCents: 300_000, floorInCents }));
  }
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 100_000_000,
  });
  const makeKeys = async (isApprovalRequired: boolean) => {
    const keys: string[] = [];
    for (let made = 0; made < KEYS_PER_GROUP; made++) {
      keys.push((await organization.addKey([moveAnything(isApprovalRequired)])).text);
    }
    return keys;
  };
  const { organizationId } = organization;
  return { organizationId, pods, checking, keys: await makeKeys(false), askingKeys: await makeKeys(true) };
}

/** Half between pods, a quarter each out and in; a third with cents that make the sandbox bank misbehave. */
function planTransfer(
  party: { pods: readonly string[]; checking: string } | undefined,
  random: (least: number, most: number) => number,
) {
  if (!party) throw new Error("There is no such party");
  const { pods, checking } = party;
  const first = random(0, pods.length - 1);
  const pod = pods[first] ?? "";
  const otherPod = pods[(first + random(1, pods.length - 1)) % pods.length] ?? "";
  const kind = random(0, 3);
  const [sourceAccountId, destinationAccountId] =
    kind === 0 ? [pod, checking] : kind === 1 ? [checking, pod] : [pod, otherPod];
  const cents = random(0, 2) === 0 ? random(1, 9) : random(10, 99);
  return { sourceAccountId, destinationAccountId, amountInCents: random(1, 400) * 100 + cents };
}

async function passTime(ownerPool: pg.Pool, ms: number): Promise<void> {
  await ownerPool.query("update organizations set clock_offset_ms = clock_offset_ms + $1", [ms]);
}

async function countOpen(ownerPool: pg.Pool): Promise<number> {
  const { rows } = await ownerPool.query<{ open: number }>(
    `select (select count(*) from transfers where status in ('PROCESSING', 'APPROVAL_PENDING'))::int
          + (select count(*) from sandbox_bank_notices where deliveries_left > 0)::int as open`,
  );
  return rows[0]?.open ?? 0;
}

/** Whatever was being sealed during the kill: one chain that contains every entry once. */
async function expectSealed(ownerPool: pg.Pool, organizationIds: readonly string[]): Promise<void> {
  await waitUntil("every entry is sealed", async () => {
    const { rowCount } = await ownerPool.query("select from audit_unsealed limit 1");
    return rowCount === 0;
  });
  for (const organizationId of organizationIds) {
    const { count, problems } = await verifyAuditLog(ownerPool, organizationId);
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(0);
  }
}

async function expectNothingLost({ client, ownerPool, organizationIds }: Scene): Promise<void> {
  const { rows } = await ownerPool.query<{ mark: string; id: string; status: string }>(
    "select description as mark, id, status from transfers where proposed_by_kind = 'API_KEY' order by id",
  );
  // One transfer for each intent, the one that the client knows, and no others.
  expect(rows.length).toBe(client.intents);
  expect(new Map(rows.map(({ mark, id }) => [mark, id]))).toEqual(client.answers);

  for (const organizationId of organizationIds) {
    const books = await auditBooks({ ownerPool }, organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
    expect(books.managedInCents).toBe(books.cameInInCents - books.wentOutInCents);
    expect(await findDisagreements({ ownerPool }, organizationId)).toEqual([]);
  }
  await expectSealed(ownerPool, organizationIds);

  // The kills did hit something, and every way to end was taken.
  expect(client.unclearRequests).toBeGreaterThan(0);
  expect(client.replays).toBeGreaterThan(0);
  expect(new Set(rows.map(({ status }) => status))).toEqual(
    new Set(["COMPLETE", "FAILED", "RETURNED", "APPROVAL_DENIED"]),
  );
}
