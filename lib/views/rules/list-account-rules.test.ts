import { expect, test } from "vitest";
import { readClosingBlockers } from "@/lib/core/ledger/close-account";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { listAccountRules } from "@/lib/views/rules/list-account-rules";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { context } = await organization.addKey(anythingWithRules(true));
  const pod = (name: string) => organization.addAccount({ name, type: "POD" });
  const [income, taxes, operating] = [
    await pod("Client payments"),
    await pod("Taxes"),
    await pod("Operating"),
  ];
  const share = (sourceAccountId: string, destinationAccountId: string) => ({
    type: "PERCENTAGE",
    sourceAccountId,
    destinationAccountId,
    group: 0,
    percentage: 25,
    of: "SOURCE_BALANCE",
  });
  const rule = async (name: string, accountId: string, ...actions: ReturnType<typeof share>[]) => {
    clock.advance(1_000);
    return writeRule(
      services,
      { ...context, now: clock.now() },
      {
        name,
        trigger: { type: "MANUAL", accountId },
        steps: [{ actions }],
      },
    );
  };
  const here = (accountId: string) => listAccountRules(database.pool, organization.owner, accountId);
  return { services, organization, income, taxes, operating, share, rule, here };
}

test("an account's rules are listed with their part in it, active ones first", async () => {
  const { income, taxes, operating, share, rule, here } = await arrange();
  await rule("Not active yet", income, share(income, taxes));
  const active = await rule("Set taxes aside", operating, share(income, taxes), share(taxes, operating));
  await makeActive(database, active, new Date("2026-02-01T14:00:00Z"));

  const atTaxes = await here(taxes);
  expect(atTaxes.count).toBe(2);
  expect(atTaxes.rules).toMatchObject([
    {
      name: "Set taxes aside",
      href: `/rules/${active}`,
      part: "IN_AND_OUT",
      state: "ACTIVE",
      nextRunAt: "2026-02-01T14:00:00.000Z",
    },
    { name: "Not active yet", part: "IN", state: "INACTIVE", nextRunAt: null },
  ]);
  expect(atTaxes.rules[1]?.line).toContain("Taxes");
  expect((await here(operating)).rules).toMatchObject([{ part: "IN" }]);
  expect((await here(income)).rules.map(({ part }) => part)).toEqual(["OUT", "OUT"]);
});

test("deleted rules and other organizations' rules are not listed", async () => {
  const one = await arrange();
  const deleted = await one.rule("Old", one.income, one.share(one.income, one.taxes));
  await database.ownerPool.query("update rules set deleted_at = updated_at where id = $1", [deleted]);
  expect(await one.here(one.taxes)).toEqual({ rules: [], count: 0 });
  await one.rule("New", one.income, one.share(one.income, one.taxes));
  const other = await arrange();
  expect(await other.here(one.taxes)).toEqual({ rules: [], count: 0 });
});

test("the obstacles to closing an account name the active rules that use it", async () => {
  const { organization, income, taxes, share, rule } = await arrange();
  const first = await rule("Set taxes aside", income, share(income, taxes));
  await rule("Not active", income, share(income, taxes));
  await makeActive(database, first);
  expect(await readClosingBlockers(database.pool, organization.organizationId, taxes)).toEqual([
    { kind: "RULES", count: 1, rules: [{ href: `/rules/${first}`, name: "Set taxes aside" }] },
  ]);
});
