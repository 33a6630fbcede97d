import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { triggeredExecutionSchema } from "@/lib/contract/rules/execution";
import { makeHookSecret, setHookApproval } from "@/lib/core/rules/rule-hooks";
import { auditBooks } from "@/lib/testing/conservation";
import { createTestOrganization } from "@/lib/testing/organization";
import { type ProductPair, startProductPair } from "@/lib/testing/product-process";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

/**
 * Two real processes with their workers on one database, over real HTTP. Goal: what sets a rule off from outside, a
 * program or the time, starts it once, whichever process receives it.
 */
let pair: ProductPair;
let scene: Awaited<ReturnType<typeof arrange>>;
beforeAll(async () => {
  pair = await startProductPair();
  scene = await arrange();
}, 180_000);
afterAll(() => pair?.close());

async function arrange() {
  const services = createRealTimeServices(pair.pool);
  const organization = await createTestOrganization(pair, services);
  const accountId = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const destinationAccountId = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(anythingWithRules(false));
  const action = {
    type: "FIXED",
    sourceAccountId: accountId,
    destinationAccountId,
    group: 0,
    amountInCents: 5_000,
  };
  const steps = [{ actions: [action] }];
  const manual = { type: "MANUAL" as const, accountId };
  const ruleId = await writeRule(services, key.context, { name: "Tax", trigger: manual, steps });
  await makeActive(pair, ruleId);
  const secret = await makeHookSecret(services, organization.owner, ruleId);
  await setHookApproval(services, organization.owner, { ruleId, isRequired: false });

  const hookOf = (turn: number) =>
    `${pair.apiUrls[turn % pair.apiUrls.length]?.replace("/platform/v1", "")}/hooks/rules/${ruleId}`;
  const ask = (turn: number, init: RequestInit = {}) =>
    fetch(hookOf(turn), {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Idempotency-Key": "invoice-318" },
      signal: AbortSignal.timeout(30_000),
      ...init,
    });
  const completeTransfersOf = async (id: string) => {
    const { rows } = await pair.ownerPool.query<{ count: number }>(
      "select count(*)::int as count from transfers where rule_id = $1 and status = 'COMPLETE'",
      [id],
    );
    return rows[0]?.count ?? 0;
  };
  const runsOf = async (id: string) =>
    (
      await pair.ownerPool.query(
        `select cause_id as "causeId" from rule_executions where rule_id = $1
  order by id`,
        [id],
      )
    ).rows;
  return { ...organization, services, key, accountId, steps, ruleId, ask, completeTransfersOf, runsOf };
}

describe("a hook over two processes", () => {
  it("starts one run of twenty identical requests at once, and money moves once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => scene.ask(turn)));
    const ids = new Set<string>();
    for (const answer of answers) {
      const body: unknown = await answer.json();
      if (answer.status === 202) ids.add(triggeredExecutionSchema.parse(Object(body).data).executionId);
      else expect([answer.status, Object(body).error.code]).toEqual([409, "RULE_EXECUTION_IN_PROGRESS"]);
    }
    expect(ids.size).toBe(1);
    await waitUntil(
      "the run is carried out",
      async () => (await scene.completeTransfersOf(scene.ruleId)) === 1,
    );
    const later = await scene.ask(1);
    expect([later.status, later.headers.get("idempotent-replayed")]).toEqual([202, "true"]);
    expect(await scene.runsOf(scene.ruleId)).toHaveLength(1);
  });

  it("answers other methods with a plain 404 and a wrong secret with 401, not with the dashboard", async () => {
    const get = await scene.ask(0, { method: "GET" });
    expect([get.status, await get.text()]).toEqual([404, "Not Found"]);
    const wrong = await scene.ask(0, { headers: { Authorization: "Bearer sluice_hook_x" } });
    expect([wrong.status, Object(await wrong.json()).error.code]).toEqual([401, "UNAUTHORIZED"]);
  });
});

describe("schedules over two processes", () => {
  it("fire once each, for the latest missed time, and their money moves once", async () => {
    const { services, key, accountId, steps } = scene;
    const schedule = {
      frequency: "DAILY" as const,
      startAt: "2026-01-01T00:00:00Z",
      dayOfWeek: null,
      daysOfMonth: null,
      cron: null,
      time: "09:00",
      timeZone: "America/New_York",
      onNonBankingDay: "SAME_DAY" as const,
    };
    const trigger = { type: "SCHEDULED" as const, accountId, schedule };
    const now = services.clock.now();
    const threeDaysAgo = new Date(now.getTime() - 3 * 86_400_000);
    const ruleIds: string[] = [];
    for (let made = 0; made < 10; made += 1) {
      const ruleId = await writeRule(services, key.context, { trigger, steps });
      ruleIds.push(ruleId);
      await makeActive(pair, ruleId);
    }
    // Both workers find all of them due in one moment.
    await pair.ownerPool.query("update rules set activated_at = $2, next_run_at = $2 where id = any ($1)", [
      ruleIds,
      threeDaysAgo,
    ]);
    await waitUntil("every rule has moved its money", async () => {
      const counts = await Promise.all(ruleIds.map(scene.completeTransfersOf));
      return counts.every((count) => count >= 1);
    });
    for (const ruleId of ruleIds) {
      const runs = await scene.runsOf(ruleId);
      expect(runs).toHaveLength(1);
      const age = now.getTime() - Date.parse(runs[0]?.causeId ?? "");
      expect(age).toBeLessThan(86_400_000 + 3_600_000);
      expect(await scene.completeTransfersOf(ruleId)).toBe(1);
    }
    expect(await auditBooks(pair, scene.organizationId)).toMatchObject({
      wrongLedgers: [],
      negative: [],
      wrongHolds: [],
    });
  }, 60_000);
});
