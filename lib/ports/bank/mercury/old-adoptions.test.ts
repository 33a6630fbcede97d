/**
 * Goal: an account that was adopted before its statement began with what it held gets no difference for each old line.
 * Method: the statements of the migration, on a database as the previous version left it.
 */
import { v7 as uuidv7 } from "uuid";
import { expect, test } from "vitest";
import { readMigrationFiles, splitStatements } from "@/lib/db/migration-files";
import { projectPath } from "@/lib/platform/project-path";
import { readAdoption } from "@/lib/ports/bank/adoption";
import { openTestDatabase } from "@/lib/testing/database";
import { createReconciliationScene } from "@/lib/testing/reconciliation/reconciliation-scene";

const ADOPTED_AT = new Date("2026-06-01T12:00:00Z");

async function migrateAgain(database: Awaited<ReturnType<typeof openTestDatabase>>) {
  const files = await readMigrationFiles(projectPath("lib/db/migrations"));
  const file = files.find(({ number }) => number === 187);
  for (const { sql } of splitStatements(file?.sql ?? "")) await database.ownerPool.query(sql);
}

/** An adopted account with 700,000 cents in two old lines, of which `read` tells whether they were read. */
async function arrange({ isRead, oldInCents = 300_000 }: { isRead: boolean; oldInCents?: number }) {
  const database = await openTestDatabase();
  const scene = await createReconciliationScene(database);
  const { organizationId } = scene;
  const { ownerPool } = database;
  const bankAccount = uuidv7();
  const reference = `${bankAccount}:opening`;
  await ownerPool.query(
    `insert into adopted_bank_accounts (bank_account, organization_id, deposits_after) values ($1, $2, $3)`,
    [bankAccount, organizationId, ADOPTED_AT],
  );
  const notice = { kind: "DEPOSITED", amountInCents: 700_000, occurredAt: ADOPTED_AT };
  await ownerPool.query(
    `insert into bank_inbox (organization_id, notice_reference, notice, occurred_at) values ($1, $2, $3, $4)`,
    [organizationId, reference, notice, ADOPTED_AT],
  );
  const deposited = await scene.deposit(700_000);
  await ownerPool.query(
    "update bank_notices set reference = $3 where organization_id = $1 and reference = $2",
    [organizationId, deposited, reference],
  );
  const old = [400_000, oldInCents].map((amountInCents, index) => ({
    lineReference: `old-${index}`,
    bookedAt: new Date(ADOPTED_AT.getTime() - index * 86_400_000),
    amountInCents,
    kind: "OTHER" as const,
    transferId: null,
    depositReference: null,
    rail: null,
    description: "From before",
  }));
  const lines = isRead ? old : [];
  const sum = lines.reduce((total, { amountInCents }) => total + amountInCents, 0);
  const ports = {
    ...scene.ports,
    bank: {
      ...scene.bank,
      statement: () => Promise.resolve({ lines, nextCursor: null }),
      balance: () => Promise.resolve({ currentInCents: sum, availableInCents: sum, asOf: scene.clock.now() }),
    },
  };
  if (isRead) {
    await scene.passDays(3);
    await scene.reconcile(ports);
    expect((await scene.differences()).length).toBe(3);
  }
  return { database, scene, ports, bankAccount };
}

test("whose old lines were read: they and the opening deposit cancel each other out, once and for good", async () => {
  const { database, scene, ports, bankAccount } = await arrange({ isRead: true });
  await migrateAgain(database);
  const { rows } = await database.pool.query(
    "select state, resolution, count(*)::int from bank_differences where organization_id = $1 group by 1, 2",
    [scene.organizationId],
  );
  expect(rows).toEqual([{ state: "RESOLVED", resolution: "CANCELED_OUT", count: 3 }]);
  await scene.passDays(1);
  await scene.reconcile(ports);
  expect(await scene.last()).toMatchObject({ open: 0, unexplained: 0 });
  expect(await readAdoption(database.pool, bankAccount)).toMatchObject({ openingInCents: null });
});

test("whose old lines do not add up to the opening deposit: all are left to members", async () => {
  const { database, scene } = await arrange({ isRead: true, oldInCents: 250_000 });
  await migrateAgain(database);
  const { rows } = await database.pool.query(
    "select count(*)::int from bank_differences where organization_id = $1 and state = 'OPEN'",
    [scene.organizationId],
  );
  expect(rows).toEqual([{ count: 3 }]);
});

test("of which no old line was read: its statement begins with what it held", async () => {
  const { database, bankAccount } = await arrange({ isRead: false });
  await migrateAgain(database);
  const opening = { openingInCents: 700_000, openedAt: ADOPTED_AT };
  expect(await readAdoption(database.pool, bankAccount)).toMatchObject(opening);
});
