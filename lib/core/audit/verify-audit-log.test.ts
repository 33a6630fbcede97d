/**
 * Someone with the database owner's rights and the triggers disabled alters the log at random. Each alteration happens in
 * a transaction, is checked from inside it, and is rolled back.
 */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sealAuditEntries } from "@/lib/core/audit/seal-audit-entries";
import {
  hasSealingWorker,
  type KnownHead,
  listAudited,
  verifyAuditLog,
} from "@/lib/core/audit/verify-audit-log";
import { openWorkers } from "@/lib/db/workers";
import { TAMPERING_KINDS, type Tampering, tamper, testEntry, writeEntries } from "@/lib/testing/audit";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { createTestServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

const ENTRIES = 12;

const database = useTestDatabase();
let organizationId: string;
let head: KnownHead;
beforeAll(async () => {
  organizationId = await addLog();
  const verified = await verifyAuditLog(database.pool, organizationId);
  head = { hash: verified.head, count: verified.count };
});

/** Entries sealed in several batches, so that seals have different times. */
async function addLog(): Promise<string> {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  for (let made = 0; made < ENTRIES; made += 3) {
    const reason = made % 2 === 0 ? null : "Quarterly taxes";
    const fields = { reason, outcome: "FAILURE", errorCode: "ACCESS_DENIED" } as const;
    const entries = [1, 2, 3].map(() => testEntry(services, organization.organizationId, fields));
    await writeEntries(database.pool, entries);
    clock.advance(1_000);
    await sealAuditEntries(services, 100);
  }
  return organization.organizationId;
}

/** What the check reports from inside a transaction that tampers and is rolled back. */
async function verifyAfter(tampering: Partial<Tampering>, known: KnownHead | null = null): Promise<string[]> {
  const owner = await database.ownerPool.connect();
  try {
    await owner.query("begin");
    await tamper(owner, organizationId, { kind: "ALTER_ENTRY", at: 5, other: 6, pick: 0, ...tampering });
    return (await verifyAuditLog(owner, organizationId, known)).problems;
  } finally {
    await owner.query("rollback");
    owner.release();
  }
}

const tampering = fc
  .record({
    kind: fc.constantFrom(...TAMPERING_KINDS),
    at: fc.integer({ min: 1, max: ENTRIES }),
    other: fc.integer({ min: 1, max: ENTRIES }),
    pick: fc.nat(1_000_000),
  })
  .filter(({ at, other }) => at !== other);

/** Leaves a shorter but intact chain: only a noted head of the longer one reveals it. */
const cutsEnd = ({ kind, at }: Tampering) => kind === "CUT_END" || (kind === "REMOVE_LINK" && at === ENTRIES);

describe("the check of the audit log", () => {
  it("finds nothing in a log that nobody altered, with a head from any time", async () => {
    const { rows } = await database.pool.query<{ count: number; hash: string }>(
      "select sequence as count, encode(hash, 'hex') as hash from audit_seals where organization_id = $1",
      [organizationId],
    );
    for (const known of [null, head, ...rows]) {
      const verified = await verifyAuditLog(database.pool, organizationId, known);
      expect(verified).toMatchObject({ count: ENTRIES, problems: [], problemCount: 0 });
    }
  });

  it("finds everything that is altered, removed, inserted or moved, even with full privileges", async () => {
    await fc.assert(
      fc.asyncProperty(tampering, async (one) => {
        expect(await verifyAfter(one, head)).not.toEqual([]);
        expect((await verifyAfter(one)).length > 0).toBe(!cutsEnd(one));
      }),
      { numRuns: proofSize(40, 2_000), seed: proofSeed },
    );
  });

  it.each<[Partial<Tampering>, string]>([
    [{ kind: "ALTER_ENTRY" }, "sequence 5: the entry"],
    [{ kind: "ALTER_SEAL", pick: 4 }, "sequence 5: the seal does not follow"],
    [{ kind: "REMOVE_ENTRY" }, "sequence 5: the entry"],
    [{ kind: "REMOVE_SEAL" }, "sequence 5: the seal is missing"],
    [{ kind: "REMOVE_LINK" }, "sequence 5: the seal does not follow"],
    [{ kind: "INSERT_ENTRY" }, "is not sealed and does not wait for it"],
    [{ kind: "INSERT_LINK" }, "sequence 6: the entry"],
    [{ kind: "SWAP_ENTRIES" }, "sequence 6: the entry"],
    [{ kind: "SWAP_SEALED" }, "sequence 6: the seal does not follow"],
  ])("says where: %o", async (one, problem) => {
    expect(await verifyAfter(one)).toContainEqual(expect.stringContaining(problem));
  });

  it("detects a truncated or rewritten chain by a head noted earlier", async () => {
    const cut = await verifyAfter({ kind: "CUT_END", at: 7 }, head);
    expect(cut).toEqual([expect.stringContaining(`is not at sequence ${ENTRIES} of 6`)]);
    const anywhere = await verifyAfter({ kind: "CUT_END", at: 1 }, { ...head, count: null });
    expect(anywhere).toEqual([expect.stringContaining("is not in this chain of 0")]);
  });

  it("reports entries that wait too long for a seal, and those removed before they got one", async () => {
    const { services } = createTestServices(database);
    const { organizationId: id } = await createTestOrganization(database, services);
    const [waiting, removed, fresh] = [1, 2, 3].map(() => testEntry(services, id));
    if (!waiting || !removed || !fresh) throw new Error("unreachable");
    await writeEntries(database.pool, [waiting, removed, fresh]);
    const owner = await database.ownerPool.connect();
    try {
      await owner.query("begin");
      await owner.query(
        "update audit_unsealed set written_at = written_at - interval '1 minute' where id <> $1",
        [fresh.id],
      );
      await owner.query("alter table audit_entries disable trigger user");
      await owner.query("delete from audit_entries where organization_id = $1 and id = $2", [id, removed.id]);
      expect((await verifyAuditLog(owner, id)).problems).toEqual([
        expect.stringMatching(`${waiting.id} has waited 6\\d seconds`),
        expect.stringContaining(`${removed.id} was removed before it was sealed`),
      ]);
    } finally {
      await owner.query("rollback");
      owner.release();
    }
  });

  it("checks every log, even of an organization that appears nowhere else", async () => {
    const { services } = createTestServices(database);
    const stranger = testEntry(services, randomUUID());
    await writeEntries(database.pool, [stranger]);
    const found: string[] = [];
    for await (const id of listAudited(database.pool)) found.push(id);
    expect(found).toEqual([...found].sort());
    expect(found).toEqual(expect.arrayContaining([organizationId, stranger.organizationId]));
  });

  it("reads longer logs page by page to their end", async () => {
    const { services } = createTestServices(database);
    const { organizationId: id } = await createTestOrganization(database, services);
    const count = 2_500;
    await writeEntries(
      database.pool,
      Array.from({ length: count }, () => testEntry(services, id)),
    );
    await sealAuditEntries(services, 10_000);
    expect(await verifyAuditLog(database.pool, id)).toMatchObject({ count, problems: [] });
  });
});

it("an entry that no worker could have sealed, as after a restore, waits and is not wrong", async () => {
  const { services } = createTestServices(database);
  const { organizationId: restored } = await createTestOrganization(database, services);
  await writeEntries(database.pool, [testEntry(services, restored, { outcome: "SUCCESS" })]);
  await database.ownerPool.query(
    "update audit_unsealed set written_at = written_at - interval '1 hour' where organization_id = $1",
    [restored],
  );
  expect(await hasSealingWorker(database.pool)).toBe(false);
  const waiting = await verifyAuditLog(database.pool, restored, null, { isSealed: false });
  expect(waiting).toMatchObject({ problemCount: 0, waitingCount: 1 });
  const late = await verifyAuditLog(database.pool, restored);
  expect(late).toMatchObject({ problemCount: 1, waitingCount: 0 });

  const workers = openWorkers([], { isWorker: true, connection: database.pool.options, log: services.log });
  onTestFinished(async () => {
    await workers.stop();
    await workers.close();
  });
  await waitUntil("the worker is seen", () => hasSealingWorker(database.pool));
});
