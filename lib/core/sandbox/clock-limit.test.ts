import { expect, test } from "vitest";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { moveClock } from "@/lib/core/sandbox/move-clock";
import { businessTime } from "@/lib/platform/clock";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestSandbox } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

/** Goal: one move of the clock is bounded, and loses nothing. Method: a rule that is due every minute of a day. */
const DAY_MS = 86_400_000;

const database = useTestDatabase();

test("a clock stops where too much is due, and resumes when moved again", async () => {
  const { services } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const sandbox = createTestSandbox(services);
  const pod = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 500_000 });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const { context: key } = await organization.addKey(anythingWithRules(false));
  const schedule = {
    frequency: "CRON",
    cron: "* * * * *",
    startAt: "2026-01-01T00:00:00Z",
    timeZone: "America/New_York",
  };
  const ruleId = await writeRule(services, key, {
    trigger: ruleDefinitionSchema.shape.trigger.parse({ type: "SCHEDULED", accountId: pod, schedule }),
    steps: [
      {
        conditions: { all: [{ fact: "BALANCE", accountId: pod, operator: "LESS_THAN", value: 0 }] },
        actions: [{ type: "REMAINDER", sourceAccountId: pod, destinationAccountId: taxes, group: 0 }],
      },
    ],
  });
  const readNow = async () => {
    const { rows } = await database.pool.query<{ clockOffsetMs: number }>(
      `select clock_offset_ms as "clockOffsetMs" from organizations where id = $1`,
      [organization.organizationId],
    );
    return businessTime(services.clock, rows[0]?.clockOffsetMs ?? 0);
  };
  const context = { ...organization.owner, now: await readNow() };
  await makeActive(database, ruleId, new Date(context.now.getTime() + 60_000));
  const toAt = new Date(context.now.getTime() + DAY_MS);
  await expect(moveClock(services, sandbox, context, toAt)).rejects.toMatchObject({
    code: "INVALID_PARAMETERS",
    message: expect.stringContaining("the clock stopped there"),
  });
  const reached = await readNow();
  expect(reached.getTime()).toBeGreaterThan(context.now.getTime());
  expect(reached.getTime()).toBeLessThan(toAt.getTime());
  const { rows } = await database.pool.query(
    "select count(*)::int as runs from rule_executions where rule_id = $1",
    [ruleId],
  );
  expect(rows[0].runs).toBe(Math.round((reached.getTime() - context.now.getTime()) / 60_000));
}, 60_000);
