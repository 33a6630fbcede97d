import { describe, expect, it } from "vitest";
import { sealAuditEntries } from "@/lib/core/audit/seal-audit-entries";
import { verifyAuditLog } from "@/lib/core/audit/verify-audit-log";
import { SEAL_AUDIT } from "@/lib/core/shared/work-names";
import { dueWork } from "@/lib/core/work/due-work";
import { EMBEDDED_APPLICATION_ROLE } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { createProductSecrets } from "@/lib/platform/product-secrets";
import { startWork } from "@/lib/platform/work";
import { createSandboxAggregator } from "@/lib/ports/aggregator/sandbox/create-sandbox-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";
import { createSandboxIdentity } from "@/lib/ports/identity/sandbox/create-sandbox-identity";
import { createMailboxMail } from "@/lib/ports/messages/create-mail";
import { createMailboxSms } from "@/lib/ports/messages/create-sms";
import { createTestApi, readEverything } from "@/lib/testing/api";
import { testEntry, writeEntries } from "@/lib/testing/audit";
import { type TestDatabase, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { inOpenTransaction } from "@/lib/testing/overlap";
import { createTestPush } from "@/lib/testing/push/push-service";
import { createRealTimeServices, createTestServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";
import { createTestWebhooks } from "@/lib/testing/webhooks";

const database = useTestDatabase();

const BATCH = 500;

async function arrange() {
  const { services } = createTestServices(database);
  const { organizationId } = await createTestOrganization(database, services);
  const entry = (fields = {}) => testEntry(services, organizationId, fields);
  const sealed = async () => {
    const { rows } = await database.pool.query<{ sequence: number; id: string }>(
      "select sequence, entry_id as id from audit_seals where organization_id = $1 order by sequence",
      [organizationId],
    );
    return rows;
  };
  return { services, organizationId, entry, sealed };
}

describe("sealing", () => {
  it("builds one gapless chain per organization, whatever the texts contain", async () => {
    const [one, other] = [await arrange(), await arrange()];
    const texts = ["", "Prüfung 税金 🏦", "5:hello,", '"\\ \u2028', "a".repeat(500)];
    const entries = texts.map((reason) => one.entry({ reason }));
    await writeEntries(database.pool, [
      ...entries,
      other.entry({ action: null, errorCode: "ACCESS_DENIED", errorDetail: "amountInCents 5: no 税" }),
    ]);
    expect(await sealAuditEntries(one.services, BATCH)).toBe(texts.length + 1);
    expect(await sealAuditEntries(one.services, BATCH)).toBe(0);
    expect(await one.sealed()).toEqual(entries.map(({ id }, index) => ({ sequence: index + 1, id })));
    expect((await other.sealed()).map(({ sequence }) => sequence)).toEqual([1]);
    for (const { organizationId } of [one, other]) {
      expect(await verifyAuditLog(database.pool, organizationId)).toMatchObject({ problems: [] });
    }
  });

  it("seals an entry whose transaction commits late, after newer ones are sealed", async () => {
    const { services, organizationId, entry, sealed } = await arrange();
    const [late, early] = [entry(), entry()];
    await inOpenTransaction(database.ownerPool, async (writer) => {
      await writeEntries(writer, [late]);
      await writeEntries(database.pool, [early]);
      expect(await sealAuditEntries(services, BATCH)).toBe(1);
      await writer.query("commit");
    });
    expect(await sealAuditEntries(services, BATCH)).toBe(1);
    expect(late.id < early.id).toBe(true);
    expect(await sealed()).toEqual([
      { sequence: 1, id: early.id },
      { sequence: 2, id: late.id },
    ]);
    expect(await verifyAuditLog(database.pool, organizationId)).toMatchObject({ count: 2, problems: [] });
  });

  it("builds one chain without gaps or repetitions when several processes seal during writes", async () => {
    const worlds = [await arrange(), await arrange(), await arrange()];
    const perWorld = 400;
    const pools = [1, 2, 3].map(() =>
      createPool({ ...database.ownerConnection, user: EMBEDDED_APPLICATION_ROLE }, { max: 2 }),
    );
    let isWritten = false;
    const seal = async (pool: TestDatabase["pool"]) => {
      const services = createRealTimeServices(pool);
      for (;;) {
        const wasWritten = isWritten;
        const count = await sealAuditEntries(services, 7);
        if (count === 0 && wasWritten && (await countWaiting()) === 0) return;
      }
    };
    const write = async () => {
      for (let written = 0; written < perWorld; written += 4) {
        const group = worlds.flatMap(({ entry }) => [entry(), entry(), entry(), entry()]);
        await writeEntries(database.pool, group);
      }
      isWritten = true;
    };
    await Promise.all([write(), ...pools.map(seal)]);
    await Promise.all(pools.map((pool) => pool.end()));
    for (const { organizationId, sealed } of worlds) {
      const chain = await sealed();
      expect(chain.map(({ sequence }) => sequence)).toEqual(chain.map((_, index) => index + 1));
      expect(new Set(chain.map(({ id }) => id)).size).toBe(perWorld);
      expect(await verifyAuditLog(database.pool, organizationId)).toMatchObject({
        count: perWorld,
        problems: [],
      });
    }
  });

  it("skips an organization that another process is sealing, without waiting", async () => {
    const { services, organizationId, entry, sealed } = await arrange();
    const [late, early] = [entry(), entry()];
    await inOpenTransaction(database.ownerPool, async (writer) => {
      await writeEntries(writer, [late]);
      await writeEntries(database.pool, [early]);
      await inOpenTransaction(database.ownerPool, async (sealer) => {
        await sealer.query("select seal_audit_entries(now(), 1)");
        await writer.query("commit");
        // The late entry is older than the one being sealed and would be first in a rival's batch.
        expect(await sealAuditEntries(services, 1)).toBe(0);
        await sealer.query("commit");
      });
    });
    expect(await sealAuditEntries(services, 1)).toBe(1);
    expect((await sealed()).map(({ id }) => id)).toEqual([early.id, late.id]);
    expect(await verifyAuditLog(database.pool, organizationId)).toMatchObject({ count: 2, problems: [] });
  });

  it("waits while the oldest entry is new, so that several processes do not seal a few each", async () => {
    const { services, entry } = await arrange();
    await writeEntries(database.pool, [entry()]);
    const restMs = 60_000;
    expect(await sealAuditEntries(services, BATCH, restMs)).toBe(0);
    const moveBy = (interval: string) =>
      database.ownerPool.query("update audit_unsealed set written_at = clock_timestamp() + $1::interval", [
        interval,
      ]);
    await moveBy("-61 seconds");
    await writeEntries(database.pool, [entry()]);
    expect(await sealAuditEntries(services, BATCH, restMs)).toBe(2);
    // The clock was set back an hour: it would wait that long.
    await writeEntries(database.pool, [entry()]);
    await moveBy("1 hour");
    expect(await sealAuditEntries(services, BATCH, restMs)).toBe(1);
  });

  it("is done by the worker, which looks several times a second", async () => {
    const services = createRealTimeServices(database.pool);
    const organization = await createTestOrganization(database, services);
    const key = await organization.addKey(readEverything);
    const call = createTestApi(services);
    const kinds = dueWork(services, ports(), createProductSecrets("a secret of tests", null)).filter(
      isSealing,
    );
    expect(kinds.map(({ pollIntervalMs }) => pollIntervalMs)).toEqual([250]);
    const worker = startWork(kinds, services.log);
    try {
      for (let request = 0; request < 5; request++) {
        const response = await call(key.text, "GET", "/accounts");
        await waitUntil("it is sealed", () => isSealed(response.headers.get("x-request-id")));
      }
    } finally {
      await worker.stop();
    }
  });

  it("seals an entry once even if it is queued twice, as after a restore", async () => {
    const { services, organizationId, entry } = await arrange();
    const { id } = entry();
    await writeEntries(database.pool, [entry({ id })]);
    const waitAgain = () =>
      database.ownerPool.query("insert into audit_unsealed values (clock_timestamp(), $1, $2)", [
        organizationId,
        id,
      ]);
    await waitAgain();
    await sealAuditEntries(services, BATCH);
    await waitAgain();
    await sealAuditEntries(services, BATCH);
    expect(await countWaiting()).toBe(0);
    expect(await verifyAuditLog(database.pool, organizationId)).toMatchObject({ count: 1, problems: [] });
  });
});

describe("a seal", () => {
  it.each(["update audit_seals set sealed_at = now()", "delete from audit_seals", "truncate audit_seals"])(
    "cannot be changed by the application, which lacks the privilege: %s",
    async (statement) => {
      await expect(database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
      await expect(database.ownerPool.query(statement)).rejects.toMatchObject({ code: "23001" });
    },
  );

  it("cannot be created, nor its queue changed, by the application except through the function", async () => {
    const { organizationId, entry } = await arrange();
    const forged = "insert into audit_seals select $1, 9, $2, sha256('a'), sha256('b'), now()";
    for (const [statement, values] of [
      [forged, [organizationId, entry().id]],
      ["delete from audit_unsealed", []],
      ["update audit_unsealed set written_at = now()", []],
      ["insert into audit_unsealed values (now(), $1, $2)", [organizationId, entry().id]],
    ] as const) {
      await expect(database.pool.query(statement, [...values])).rejects.toMatchObject({ code: "42501" });
    }
  });
});

const isSealing = ({ name }: { name: string }) => name === SEAL_AUDIT;

/** Sealing uses no external systems. */
function ports() {
  const { clock } = createTestServices(database);
  return {
    bank: createSandboxBank(database.pool),
    aggregator: createSandboxAggregator(database.pool),
    cards: createSandboxCardNetwork(database.pool),
    identity: createSandboxIdentity(database.pool),
    mail: createMailboxMail(database.pool, clock),
    sms: createMailboxSms(database.pool, clock),
    webhooks: createTestWebhooks(),
    push: createTestPush(),
    auditArchives: { directory: "unused", readsDays: null },
  };
}

async function isSealed(requestId: string | null): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `select from audit_entries e join audit_seals s on s.organization_id = e.organization_id and s.entry_id = e.id
      where e.request_id = $1`,
    [requestId],
  );
  return rowCount === 1;
}

async function countWaiting(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    "select count(*)::int as count from audit_unsealed",
  );
  return rows[0]?.count ?? 0;
}
