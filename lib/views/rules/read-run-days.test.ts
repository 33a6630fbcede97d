import { expect, it } from "vitest";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { storeRun } from "@/lib/testing/rules/rule-runs";
import { anythingWithRules, askRun, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { readRunDays } from "@/lib/views/rules/read-run-days";

const DAY_MS = 86_400_000;
const database = useTestDatabase();

it("counts a rule's live runs and what they moved by day of the organization, every day of the range", async () => {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { owner } = organization;
  const from = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 100_000 });
  const to = await organization.addAccount({ name: "Taxes", type: "POD" });
  const { context } = await organization.addKey(anythingWithRules(false));
  const action = {
    type: "FIXED",
    sourceAccountId: from,
    destinationAccountId: to,
    group: 0,
    amountInCents: 2_500,
  };
  const ruleId = await writeRule(services, context, {
    trigger: { type: "MANUAL", accountId: from },
    steps: [{ actions: [action] }],
  });
  await makeActive(database, ruleId);
  const run = async () => {
    await askRun(services, { ...context, now: clock.now() }, ruleId);
    await runAllRules(services);
  };
  await run();
  await run();
  clock.advance(DAY_MS);
  await run();
  const now = clock.now();
  const store = (more: Omit<Parameters<typeof storeRun>[2], "ruleId">) =>
    storeRun(database, { ...owner, now }, { ruleId, ...more });
  await store({ status: "FAILED" });
  await store({ status: "APPROVAL_DENIED" });
  await store({ mode: "SIMULATION" });

  const time = { nowAt: now.toISOString(), timeZone: "America/New_York", locale: "en-US" };
  const read = (member: typeof owner) => ({ services, context: { ...member, now }, time });
  const { days, isTruncated } = await readRunDays(read(owner), ruleId);
  expect(days).toHaveLength(90);
  expect(days.slice(-2)).toEqual([
    { date: "2026-01-15", runs: 2, failed: 0, movedInCents: 5_000 },
    { date: "2026-01-16", runs: 2, failed: 1, movedInCents: 2_500 },
  ]);
  expect(days[0]).toEqual({ date: "2025-10-19", runs: 0, failed: 0, movedInCents: 0 });
  expect(isTruncated).toBe(false);

  const stranger = await createTestOrganization(database, services);
  const others = await readRunDays(read(stranger.owner), ruleId);
  expect(others.days.every(({ runs, movedInCents }) => runs + movedInCents === 0)).toBe(true);
});
