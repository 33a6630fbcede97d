/** Goal: the page of the gates sums everything that waits, as the queue does. Method: the reader against a real database. */
import { expect, it } from "vitest";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, askRun, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { readGatesPage } from "@/lib/views/gates/read-gates-page";

const database = useTestDatabase();

it("sums the transfers and the runs that wait, and says where an amount is unknown", async () => {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 900_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...anythingWithRules(true), moveAnything(true)], "claude");
  const move = { sourceAccountId: operating, destinationAccountId: taxes };
  const time = { nowAt: clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
  const proposals = async () =>
    (await readGatesPage({ services, context: { ...owner, now: clock.now() }, time })).proposals;
  expect(await proposals()).toEqual({ count: 0, totalInCents: 0, isPartial: false });
  await askTransfer(services, key.context, { ...move, amountInCents: 40_000 });
  const ruleId = await writeRule(services, key.context, {
    trigger: { type: "MANUAL", accountId: operating },
    steps: [{ actions: [{ type: "FIXED", ...move, amountInCents: 360_000, group: 0 }] }],
  });
  await makeActive(database, ruleId);
  await askRun(services, { ...key.context, now: clock.now() }, ruleId);
  expect(await proposals()).toEqual({ count: 2, totalInCents: 400_000, isPartial: false });
});
