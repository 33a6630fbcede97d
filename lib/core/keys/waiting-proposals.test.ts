/** At most a hundred proposals of one key wait, however many are made concurrently (docs/behavior/approvals.md). */
import { expect, it } from "vitest";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { countQueries, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, askRun, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

it("at most a hundred proposals of a key wait, of transfers and runs requested concurrently through two processes", async () => {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const source = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 1_000_000 });
  const destination = await organization.addAccount({ name: "Taxes", type: "POD" });
  const keys = [
    await organization.addKey([...anythingWithRules(true), moveAnything(true)]),
    await organization.addKey([...anythingWithRules(true), moveAnything(true)]),
  ];
  const [first] = keys;
  if (!first) throw new Error("no key");
  const ruleId = await writeRule(services, first.context, {
    trigger: { type: "MANUAL", accountId: source },
    steps: [
      {
        actions: [
          {
            type: "FIXED",
            sourceAccountId: source,
            destinationAccountId: destination,
            group: 0,
            amountInCents: 100,
          },
        ],
      },
    ],
  });
  await makeActive(database, ruleId);
  // Writes are grouped by pool, so each pool acts as a process.
  const processes = [services, { ...services, pool: countQueries(database.pool).pool }];
  const body = { sourceAccountId: source, destinationAccountId: destination, amountInCents: 1_000 };
  const asked = Array.from({ length: 140 }, (_, index) => {
    const process = processes[index % 2] ?? services;
    const { context } = keys[Math.floor(index / 2) % 2] ?? first;
    return index % 5 === 0 ? askRun(process, context, ruleId) : askTransfer(process, context, body);
  });
  const more = Array.from({ length: 140 }, (_, index) =>
    askTransfer(processes[index % 2] ?? services, (keys[index % 3 === 0 ? 1 : 0] ?? first).context, body),
  );
  const outcomes = await Promise.allSettled([...asked, ...more]);
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(280 - 2 * MAXIMUM_WAITING_PROPOSALS);
  for (const outcome of refused) {
    expect(outcome).toMatchObject({ reason: { code: "RATE_LIMIT_EXCEEDED" } });
  }
  const { rows } = await database.ownerPool.query(
    "select count(*)::int as count from proposals where organization_id = $1 and state = 'WAITING' group by api_key_id",
    [organization.organizationId],
  );
  expect(rows).toEqual([{ count: MAXIMUM_WAITING_PROPOSALS }, { count: MAXIMUM_WAITING_PROPOSALS }]);
});
