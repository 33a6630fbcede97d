/**
 * Hundreds of arrivals on one account, each reported twice over twenty connections, with a rule that splits them: in
 * the end every arrival was split exactly once, whatever was killed on the way.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { newId } from "@/lib/platform/ids";
import { auditBooks } from "@/lib/testing/conservation";
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
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

const ARRIVALS = proofSize(60, 500);
const CONNECTIONS = 20;
const TRIES = 200;
const MINUTE_MS = 60_000;

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram("lib/testing/product-process-main.ts");
});
afterAll(() => program.remove());

describe(`${ARRIVALS} arrivals on one account from ${CONNECTIONS} connections, each told twice`, () => {
  it.each([
    { what: "while nothing fails", kill: null },
    { what: "with kill -9 of the product in the middle", kill: killProduct },
    { what: "with kill -9 of the product and its PostgreSQL in the middle", kill: killEverything },
  ])("are split once each, and the books balance, $what", { timeout: 5 * MINUTE_MS }, async ({ kill }) => {
    const random = seededNumbers(proofSeed);
    const scene = await openScene();
    const arrivals = Array.from({ length: ARRIVALS }, (_, index) => ({
      reference: `arrival-${index}`,
      amountInCents: random(100, 500_000),
    }));
    let product: ProductProcess = await scene.start();
    try {
      const reported = { count: 0 };
      const reporting = scene.report(arrivals, reported);
      if (kill) {
        const moment = random(ARRIVALS / 4, ARRIVALS);
        await waitUntil("the middle", () => reported.count >= moment, MINUTE_MS);
        await kill(product, scene.dataDirectory);
        product = await scene.start();
      }
      await reporting;
      await waitUntil("every run has ended", async () => (await scene.countOpen()) === 0, MINUTE_MS);
      await scene.expectSplitOnce(arrivals);
    } finally {
      await product.kill();
      await scene.close();
    }
  });
});

async function killProduct(product: ProductProcess): Promise<void> {
  await product.kill();
}

/** As if the machine had stopped: nothing shuts down in order. */
async function killEverything(product: ProductProcess, dataDirectory: string): Promise<void> {
  const postmaster = await readPostmasterPid(dataDirectory);
  const supervisor = await readParentPid(postmaster);
  process.kill(product.pid, "SIGKILL");
  process.kill(supervisor, "SIGKILL");
  process.kill(postmaster, "SIGKILL");
  await product.kill();
  await waitUntil("PostgreSQL is gone", async () => !(await isRunning(postmaster)));
}

interface Arrival {
  reference: string;
  amountInCents: number;
}

/** An organization whose income is split by a rule, on its own embedded database. */
async function openScene() {
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-arrivals-"));
  const engine = await openEmbeddedEngine({ dataDirectory });
  await prepareDatabase(engine);
  const pools = {
    pool: createPool(engine.application, { max: CONNECTIONS }),
    ownerPool: createPool(engine.owner),
  };
  const port = await findFreePort();
  const { organizationId, income, pods, ruleId } = await arrange(pools);
  // From here on only the product uses PostgreSQL, which stops when the product does.
  await engine.leave();

  return {
    dataDirectory,
    start: () => startProduct({ program: program.path, dataDirectory, port }),
    /** Reports every arrival twice, over all connections at once, and again until it is answered. */
    async report(arrivals: readonly Arrival[], reported: { count: number }): Promise<void> {
      const waiting = [...arrivals, ...arrivals];
      const reporters = Array.from({ length: CONNECTIONS }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          await reportUntilAnswered(pools.pool, organizationId, income, next);
          reported.count += 1;
        }
      });
      await Promise.all(reporters);
    },
    async countOpen(): Promise<number> {
      const { rows } = await pools.ownerPool.query(
        "select count(*)::int as n from rule_executions where status = 'IN_PROGRESS'",
      );
      return rows[0].n;
    },
    async expectSplitOnce(arrivals: readonly Arrival[]): Promise<void> {
      const { rows } = await pools.ownerPool.query(
        `select count(*)::int as runs, count(distinct cause_id)::int as causes,
            count(*) filter (where status = 'EXECUTED')::int as executed,
            (select count(*)::int from transfers where origin = 'DIRECT_DEPOSIT') as deposits
           from rule_executions where rule_id = $1`,
        [ruleId],
      );
      expect(rows[0]).toEqual({
        runs: ARRIVALS,
        causes: ARRIVALS,
        executed: ARRIVALS,
        deposits: ARRIVALS,
      });
      const sum = arrivals.reduce((total, { amountInCents }) => total + amountInCents, 0);
      const books = await auditBooks(pools, organizationId);
      expect(books).toMatchObject({
        wrongLedgers: [],
        negative: [],
        wrongHolds: [],
        unbookedCauses: [],
        managedInCents: sum,
        cameInInCents: sum,
        wentOutInCents: 0,
      });
      const { rows: moved } = await pools.ownerPool.query(
        `select coalesce(sum(amount_in_cents), 0)::bigint as cents from transfers
          where rule_id = $1 and status = 'COMPLETE' and destination_account_id = any ($2)`,
        [ruleId, pods],
      );
      const { rows: left } = await pools.ownerPool.query(
        "select credits_in_cents - debits_in_cents as cents from ledgers where id = $1",
        [income],
      );
      // Shares below a dollar stay where they arrived; everything else is passed on.
      expect(moved[0].cents + left[0].cents).toBe(sum);
      expect(left[0].cents).toBeLessThan(ARRIVALS * 400);
    },
    async close() {
      await Promise.all([pools.pool.end(), pools.ownerPool.end()]);
      await removeDataDirectory(dataDirectory);
    },
  };
}

async function arrange(pools: { pool: pg.Pool; ownerPool: pg.Pool }) {
  const services = createRealTimeServices(pools.pool);
  const organization = await createTestOrganization(pools, services);
  const income = await organization.addAccount({ name: "Income", type: "INCOME_SOURCE" });
  const pods: string[] = [];
  for (const name of ["Taxes", "Payroll", "Profit", "Operating"]) {
    pods.push(await organization.addAccount({ name, type: "POD" }));
  }
  const { context } = await organization.addKey(anythingWithRules(false));
  const ruleId = await writeRule(services, context, {
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: income, minimumAmountInCents: null },
    steps: [
      {
        actions: pods.map((destinationAccountId) => ({
          type: "PERCENTAGE",
          percentage: 25,
          of: "INCOMING_AMOUNT",
          sourceAccountId: income,
          destinationAccountId,
          group: 0,
        })),
      },
    ],
  });
  await makeActive(pools, ruleId);
  return { organizationId: organization.organizationId, income, pods, ruleId };
}

async function reportUntilAnswered(
  pool: pg.Pool,
  organizationId: string,
  accountId: string,
  { reference, amountInCents }: Arrival,
): Promise<void> {
  const now = createRealTimeServices(pool).clock.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await pool.query(
        "select record_deposit($1, $2, $3, $4, $5, $6, 'DIRECT_DEPOSIT', 'Halden Health', $7)",
        [organizationId, newId(now), newId(now), reference, accountId, amountInCents, now],
      );
      return;
    } catch (error) {
      // The process was killed: a bank repeats its report until it is answered, once the database is back.
      if (attempt === TRIES) throw error;
      await waitUntil("the database is back", () => isBack(pool), MINUTE_MS);
    }
  }
}

async function isBack(pool: pg.Pool): Promise<boolean> {
  return pool.query("select 1").then(
    () => true,
    () => false,
  );
}
