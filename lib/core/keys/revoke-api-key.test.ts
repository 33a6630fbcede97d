import { expect, it } from "vitest";
import { endApiKey, findKeys } from "@/lib/core/keys/revoke-api-key";
import { moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

/** What `npm run key:revoke` does, without its terminal. */

const database = useTestDatabase();

it("an operator finds a key by its text, id or prefix, and nothing by parts of them", async () => {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const key = await organization.addKey([moveAnything(true)], "claude-taxes");
  await organization.addKey([moveAnything(true)], "other");
  const prefix = key.text.slice(0, 13);
  for (const named of [key.text, key.id, prefix, `${prefix}…`, `${prefix}...`]) {
    expect(await findKeys(services.pool, named)).toMatchObject([
      {
        id: key.id,
        name: "claude-taxes",
        createdByName: "Mara",
        organizationName: "Northwind",
        isRevoked: false,
      },
    ]);
  }
  for (const named of [
    "",
    "sluice_",
    key.text.slice(0, 12),
    key.text.slice(0, -1),
    key.id.slice(0, 8),
    "%",
  ]) {
    expect(await findKeys(services.pool, named)).toEqual([]);
  }
});

it("an operator's revocation needs no member, and is distinguished from members' revocations", async () => {
  const { services, clock } = createTestServices(database);
  const { organizationId, addKey } = await createTestOrganization(database, services);
  const key = await addKey([moveAnything(true)]);
  const revoke = () =>
    endApiKey(services.pool, { organizationId, keyId: key.id, now: clock.now() }, { because: "OPERATOR" });
  expect(await revoke()).toEqual({ deniedProposals: 0, stoppedTransfers: 0 });
  expect(await findKeys(services.pool, key.text)).toMatchObject([{ isRevoked: true }]);
  const { rows } = await database.ownerPool.query(
    `select revoked_by as "revokedBy",
        revoked_because as "revokedBecause" from api_keys where organization_id = $1 and id = $2`,
    [organizationId, key.id],
  );
  expect(rows).toEqual([{ revokedBy: null, revokedBecause: "OPERATOR" }]);
  expect(await revoke()).toBeNull();
});
