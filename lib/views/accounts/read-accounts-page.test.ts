import { expect, test } from "vitest";
import { accountsSearchSchema } from "@/lib/contract/search/search-schemas";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { readAccountsPage } from "@/lib/views/accounts/read-accounts-page";

const database = useTestDatabase();

async function arrange() {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const look = (query: Record<string, string> = {}) => {
    const time = { nowAt: services.clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const owner = { ...organization.owner, now: services.clock.now() };
    return readAccountsPage({ services, context: owner, time }, accountsSearchSchema.parse(query));
  };
  return { organization, look };
}

test("the first of forty pods are shown, all are summed, and a separate page lists the rest", async () => {
  const { organization, look } = await arrange();
  const stranger = await arrange();
  await stranger.organization.addAccount({ name: "Not mine", type: "POD", balanceInCents: 900_000 });
  for (let number = 1; number <= 40; number++) {
    await organization.addAccount({ name: `Pod ${number}`, type: "POD", balanceInCents: 100 });
  }
  await organization.addAccount({ name: "Sales", type: "INCOME_SOURCE", balanceInCents: 50 });
  const all = await look();
  expect(all.counts).toEqual({ income: 1, pods: 40, outside: 0, owed: 0, closed: 0 });
  expect([all.pods.length, all.incomeSources.length, all.inSluice.accountCount]).toEqual([6, 1, 41]);
  expect([all.inSluice.totalInCents, all.podsTotalInCents, all.incomeTotalInCents]).toEqual([
    4_050, 4_000, 50,
  ]);

  const first = await look({ only: "pods" });
  expect([first.pods.length, first.previousHref, first.nextHref]).toEqual([
    25,
    null,
    "/accounts?only=pods&page=2",
  ]);
  const second = await look({ only: "pods", page: "2" });
  expect([second.pods.length, second.previousHref, second.nextHref]).toEqual([
    15,
    "/accounts?only=pods",
    null,
  ]);
  expect(new Set([...first.pods, ...second.pods].map(({ id }) => id)).size).toBe(40);
  expect([second.incomeSources, second.inSluice.totalInCents]).toEqual([[], 4_050]);
  const beyond = await look({ only: "pods", page: "7" });
  expect([beyond.pods, beyond.previousHref]).toEqual([[], "/accounts?only=pods&page=2"]);
});

test("one unknown balance makes the sum outside Sluice unknown, never smaller", async () => {
  const { organization, look } = await arrange();
  await organization.addAccount({ name: "Savings", type: "EXTERNAL_ACCOUNT", balanceInCents: 100 });
  expect((await look()).outsideTotalInCents).toBe(100);
  await organization.addAccount({ name: "Checking", type: "EXTERNAL_ACCOUNT" });
  expect((await look()).outsideTotalInCents).toBeNull();
});
