import { expect, test } from "vitest";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { getKey } from "@/lib/views/keys/get-key";
import { readNewKey } from "@/lib/views/keys/read-new-key";

const database = useTestDatabase();

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 50_000 });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD", balanceInCents: 7_000 });
  const bank = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 100,
  });
  const { context } = await organization.addKey(anythingWithRules(true));
  const write = (
    name: string,
    trigger: "MANUAL" | "ON_FUNDS_TRANSFERRED",
    from: string,
    to: string,
    keepInCents = 0,
  ) =>
    writeRule(services, context, {
      name,
      trigger:
        trigger === "MANUAL"
          ? { type: trigger, accountId: from }
          : { type: trigger, accountId: from, minimumAmountInCents: null },
      steps: [
        {
          actions: [
            { type: "REMAINDER", sourceAccountId: from, destinationAccountId: to, group: 0, keepInCents },
          ],
        },
      ],
    });
  const set = await write("Set taxes aside", "MANUAL", operating, taxes, 20_000);
  const pay = await write("Pay taxes", "ON_FUNDS_TRANSFERRED", taxes, bank);
  const idle = await write("Idle", "MANUAL", taxes, operating);
  await makeActive(database, set);
  await makeActive(database, pay);
  const look = (keyId: string) =>
    getKey(
      {
        services,
        context: organization.owner,
        time: {
          nowAt: services.clock.now().toISOString(),
          timeZone: "America/New_York",
          locale: "en-US",
        },
      },
      keyId,
    );
  return { services, organization, set, pay, idle, look };
}

test("a key's page shows what the rules that it runs, and those they trigger, could move", async () => {
  const { organization, set, look } = await arrange();
  const key = await organization.addKey([{ type: "TRIGGER_RULES", rules: [set] }], "payday");
  const view = await look(key.id);
  expect(view?.most?.rules).toMatchObject([
    { name: "Set taxes aside", setOffAtName: null, oneRunInCents: 30_000, inCents: 50_000 },
    { name: "Pay taxes", setOffAtName: "Taxes", oneRunInCents: null, inCents: 7_000 },
  ]);
  expect(view?.most).toMatchObject({ totalInCents: 57_000, leavesInCents: 57_000 });
});

test("rules are offered by name, and marked as sending money outside while a version that does is active", async () => {
  const { services, organization, idle } = await arrange();
  const { rules } = await readNewKey({ services, context: organization.owner });
  expect(rules.map(({ name, isActive, sendsOutside }) => [name, isActive, sendsOutside])).toEqual([
    ["Idle", false, false],
    ["Pay taxes", true, true],
    ["Set taxes aside", true, false],
  ]);
  await database.ownerPool.query("update rules set deleted_at = updated_at where id = $1", [idle]);
  expect((await readNewKey({ services, context: organization.owner })).rules).toHaveLength(2);
});

test("a key can name only rules of its own organization", async () => {
  const one = await arrange();
  const other = await arrange();
  await expect(
    one.organization.addKey([{ type: "TRIGGER_RULES", rules: [one.set, other.set] }]),
  ).rejects.toMatchObject({ code: "INVALID_PARAMETERS" });
});
