import { expect, test } from "vitest";
import { requireNothingInvented } from "@/lib/core/sandbox/require-nothing-invented";
import { newId } from "@/lib/platform/ids";
import { createSandboxBankDriver } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";
import { openTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const bank = { keyName: "INCREASE_API_KEY", isSandbox: true };

async function arrange() {
  const database = await openTestDatabase();
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  return { database, clock, organization };
}

test("a database without anything invented may be used with a bank", async () => {
  const { database } = await arrange();
  await expect(requireNothingInvented(database.pool, bank)).resolves.toBeUndefined();
});

test("money of the sandbox bank is refused, and named", async () => {
  const { database, clock, organization } = await arrange();
  const accountId = await organization.addAccount({ name: "Operating", type: "POD" });
  await createSandboxBankDriver(database.pool).deposit({
    organizationId: organization.organizationId,
    accountId,
    amountInCents: 100,
    origin: "DIRECT_DEPOSIT",
    payerName: "Halden Health",
    businessNow: clock.now(),
  });
  await expect(requireNothingInvented(database.pool, bank)).rejects.toThrow("money of the sandbox bank");
});

test("a moved clock is refused, and named", async () => {
  const { database, organization } = await arrange();
  await database.ownerPool.query("update organizations set clock_offset_ms = 86400000 where id = $1", [
    organization.organizationId,
  ]);
  await expect(requireNothingInvented(database.pool, bank)).rejects.toThrow("clock was moved");
});

test("connections to sandbox institutions are refused beside real money only", async () => {
  const { database, clock, organization } = await arrange();
  const itemId = newId(clock.now());
  await database.pool.query(
    "insert into sandbox_institution_items (organization_id, item_id, institution_id, connected_at) values ($1, $2, 'first-platypus', $3)",
    [organization.organizationId, itemId, clock.now()],
  );
  await expect(requireNothingInvented(database.pool, bank)).resolves.toBeUndefined();
  await expect(requireNothingInvented(database.pool, { ...bank, isSandbox: false })).rejects.toThrow(
    "connections to sandbox institutions, which must not be beside a bank. Start with an empty database, or unset INCREASE_API_KEY.",
  );
});
