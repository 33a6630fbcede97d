import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkRestored, restoreProduct } from "@/lib/core/exports/restore-product";
import { readClosedGates } from "@/lib/core/keys/gates";
import { writeBackup } from "@/lib/db/backup/write-backup";
import { EMBEDDED_APPLICATION_ROLE } from "@/lib/db/embedded-engine";
import { createEmptyDatabase, type TestDatabase, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const SECRET = "a-test-secret-of-at-least-32-characters";

let folder: string;
const database = useTestDatabase();
let target: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-restore-"));
  target = await createEmptyDatabase();
});
afterAll(async () => {
  await target.close();
  await rm(folder, { recursive: true });
});

describe("a restore", () => {
  it("refuses books that do not balance and names them, unless accepted; already closed gates are not closed again", async () => {
    const { services, clock } = createTestServices(database);
    const organization = await createTestOrganization(database, services);
    const { organizationId, owner } = organization;
    const account = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 500 });
    expect(await checkRestored(database.ownerPool)).toEqual([]);
    await database.ownerPool.query(
      "update ledgers set credits_in_cents = credits_in_cents + 1 where organization_id = $1 and id = $2",
      [organizationId, account],
    );
    const closing = "01a20000-0000-7000-8000-000000000000";
    await database.ownerPool.query(
      "insert into gate_closings (organization_id, id, closed_at, closed_by) values ($1, $2, $3, $4)",
      [organizationId, closing, clock.now(), owner.actor.id],
    );
    const path = join(folder, "a.backup");
    await writeBackup({ owner: database.ownerConnection, secret: SECRET, path });
    const restore = (acceptProblems: boolean) =>
      restoreProduct({
        engine: {
          owner: target.ownerConnection,
          applicationRole: EMBEDDED_APPLICATION_ROLE,
          applicationPassword: null,
        },
        ...{ path, clock, acceptProblems, secret: SECRET, hold: true },
      });
    const words = `Ledger ${account} of organization ${organizationId} does not equal the sum of its entries and holds.`;
    await expect(restore(false)).rejects.toThrow(words);
    expect((await target.ownerPool.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(
      0,
    );
    expect(await restore(true)).toMatchObject({ problems: [words], heldCount: 0 });
    expect((await readClosedGates(target.pool, organizationId))?.id).toBe(closing);
  });

  it("can hold money only as the operator: the application's role cannot close the gates after a restore", async () => {
    await expect(database.pool.query("select hold_after_restore(now())")).rejects.toMatchObject({
      code: "42501",
    });
  });
});
