import { beforeEach, describe, expect, it } from "vitest";
import { fireSchedules } from "@/lib/core/rules/fire-schedules";
import { RUN_RULES } from "@/lib/core/shared/work-names";
import { joinTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { inOpenTransaction, overlap } from "@/lib/testing/overlap";
import { createTestServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";
import { listSkippedTimes } from "@/lib/views/rules/read-rule-page";

/** Test clocks start on Thursday, 15 January 2026, at noon in New York. */
const ACTIVATED_AT = new Date("2026-01-15T17:00:00.000Z");
const DAY_MS = 86_400_000;

const database = useTestDatabase();
let scene: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  // Keeps rules of earlier tests from being due.
  await database.ownerPool.query("update rules set next_run_at = null");
  scene = await arrange();
});

async function arrange() {
  const { services, clock, woken } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const source = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 1_000_000 });
  const destination = await organization.addAccount({ name: "Taxes", type: "POD" });
  const { organizationId, owner } = organization;

  /** Writes a rule as its activation leaves it. */
  async function addRule(schedule: Record<string, unknown>, nextRunAt: string, definition?: unknown) {
    const id = newId(clock.now());
    const trigger = {
      type: "SCHEDULED",
      accountId: source,
      schedule: { startAt: "2026-01-01T00:00:00Z", timeZone: "America/New_York", ...schedule },
    };
    const action = { type: "FIXED", sourceAccountId: source, destinationAccountId: destination };
    const actions = [{ ...action, group: 0, amountInCents: 5_000 }];
    await database.ownerPool.query(
      `insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
       values ($1, $2, 'Tax', 1, $3, $4, $4)`,
      [organizationId, id, [source], ACTIVATED_AT],
    );
    await database.ownerPool.query(
      `insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
         created_by_name, created_at) values ($1, $2, 1, $3, 'MEMBER', $4, 'Mara', $5)`,
      [
        organizationId,
        id,
        JSON.stringify(definition ?? { name: "Tax", trigger, steps: [{ actions }] }),
        owner.actor.id,
        ACTIVATED_AT,
      ],
    );
    await database.ownerPool.query(
      `update rules set active_version = 1, active_trigger_type = 'SCHEDULED', active_trigger_account_id = $3,
         activated_at = $4, activated_by = $5, next_run_at = $6 where organization_id = $1 and id = $2`,
      [organizationId, id, source, ACTIVATED_AT, owner.actor.id, nextRunAt],
    );
    return id;
  }

  async function runsOf(ruleId: string) {
    const { rows } = await database.pool.query(
      `select status, execution_mode as mode, trigger_details as details, cause_kind as cause, cause_id as "causeId",
         started_by_kind as "startedBy", due_at is not null as "isDue"
       from rule_executions where organization_id = $1 and rule_id = $2 order by id`,
      [organizationId, ruleId],
    );
    return rows;
  }

  async function nextRunOf(ruleId: string): Promise<string | null> {
    const { rows } = await database.pool.query<{ nextRunAt: Date | null }>(
      `select next_run_at as "nextRunAt" from rules where organization_id = $1 and id = $2`,
      [organizationId, ruleId],
    );
    return rows[0]?.nextRunAt?.toISOString() ?? null;
  }

  const skippedOf = (ruleId: string) => listSkippedTimes(database.pool, { organizationId, ruleId }, 200);
  return { services, clock, woken, organizationId, addRule, runsOf, nextRunOf, skippedOf };
}

const daily = { frequency: "DAILY" };
const FRIDAY = "2026-01-16T14:00:00.000Z";

describe("a due schedule", () => {
  it("starts one run, due at once, for its time, and sets the next time", async () => {
    const ruleId = await scene.addRule(daily, FRIDAY);
    expect(await fireSchedules(scene.services, 10)).toBe(0);
    scene.clock.set(new Date(FRIDAY));
    expect(await fireSchedules(scene.services, 10)).toBe(1);
    expect(await scene.runsOf(ruleId)).toEqual([
      {
        status: "IN_PROGRESS",
        mode: "LIVE",
        details: { type: "SCHEDULED", scheduledTime: FRIDAY },
        cause: "SCHEDULE",
        causeId: FRIDAY,
        startedBy: "SCHEDULE",
        isDue: true,
      },
    ]);
    expect(await scene.nextRunOf(ruleId)).toBe("2026-01-17T14:00:00.000Z");
    expect(scene.woken).toEqual([RUN_RULES]);
    expect(await fireSchedules(scene.services, 10)).toBe(0);
    expect(await scene.skippedOf(ruleId)).toEqual([]);
  });

  it("has no next time once ONE_TIME has run", async () => {
    const ruleId = await scene.addRule(
      { frequency: "ONE_TIME", startAt: "2026-01-16T00:00:00-05:00" },
      FRIDAY,
    );
    scene.clock.set(new Date("2026-02-16T14:00:00Z"));
    await fireSchedules(scene.services, 10);
    expect(await scene.runsOf(ruleId)).toHaveLength(1);
    expect(await scene.nextRunOf(ruleId)).toBeNull();
  });

  it("follows its own organization's clock", async () => {
    const ruleId = await scene.addRule(daily, FRIDAY);
    const other = await arrange();
    const theirs = await other.addRule(daily, FRIDAY);
    await database.ownerPool.query("update organizations set clock_offset_ms = $2 where id = $1", [
      scene.organizationId,
      DAY_MS,
    ]);
    expect(await fireSchedules(scene.services, 10)).toBe(1);
    expect(await scene.runsOf(ruleId)).toHaveLength(1);
    expect(await other.runsOf(theirs)).toEqual([]);
  });
});

describe("after downtime, or after the clock was moved", () => {
  it("runs once for the latest missed time since activation, and records the earlier ones", async () => {
    const ruleId = await scene.addRule(daily, FRIDAY);
    scene.clock.set(new Date("2026-02-05T15:00:00Z"));
    await fireSchedules(scene.services, 10);
    const runs = await scene.runsOf(ruleId);
    expect(runs.map((run) => run.causeId)).toEqual(["2026-02-05T14:00:00.000Z"]);
    const skipped = await scene.skippedOf(ruleId);
    // 16 January to 4 February.
    expect(skipped).toHaveLength(20);
    expect(skipped[0]).toEqual({
      scheduledFor: "2026-02-04T14:00:00.000Z",
      reason: "DOWNTIME",
      times: 1,
      recordedAt: "2026-02-05T15:00:00.000Z",
    });
    expect(skipped.at(-1)?.scheduledFor).toBe(FRIDAY);
    expect(await scene.nextRunOf(ruleId)).toBe("2026-02-06T14:00:00.000Z");
  });

  it("records the latest hundred missed times singly and the rest as one, counted up to ten thousand", async () => {
    const hourly = await scene.addRule({ frequency: "CRON", cron: "0 * * * *" }, "2026-01-15T18:00:00Z");
    const minutely = await scene.addRule({ frequency: "CRON", cron: "* * * * *" }, "2026-01-15T17:01:00Z");
    scene.clock.set(new Date("2026-01-25T17:00:00Z"));
    await fireSchedules(scene.services, 10);
    // 240 hours: one run, 100 single rows, one row of 139.
    const ofHours = await scene.skippedOf(hourly);
    expect(ofHours).toHaveLength(101);
    expect(ofHours.at(-1)).toMatchObject({ scheduledFor: "2026-01-21T12:00:00.000Z", times: 139 });
    expect((await scene.skippedOf(minutely)).at(-1)?.times).toBe(10_000);
    expect(await scene.runsOf(hourly)).toHaveLength(1);
    expect(await scene.runsOf(minutely)).toHaveLength(1);
  });
});

describe("while a return has paused the rule", () => {
  it("runs nothing, records every time as paused, and continues when it is resumed", async () => {
    const ruleId = await scene.addRule(daily, FRIDAY);
    const where = [scene.organizationId, ruleId];
    await database.ownerPool.query(
      "update rules set paused_at = now(), paused_by_transfer_id = gen_random_uuid() where organization_id = $1 and id = $2",
      where,
    );
    scene.clock.set(new Date("2026-01-17T14:00:00Z"));
    await fireSchedules(scene.services, 10);
    expect(await scene.runsOf(ruleId)).toEqual([]);
    expect(scene.woken).toEqual([]);
    const skipped = await scene.skippedOf(ruleId);
    expect(skipped.map(({ scheduledFor, reason }) => [scheduledFor, reason])).toEqual([
      ["2026-01-17T14:00:00.000Z", "PAUSED"],
      [FRIDAY, "PAUSED"],
    ]);
    await database.ownerPool.query(
      "update rules set paused_at = null, paused_by_transfer_id = null where organization_id = $1 and id = $2",
      where,
    );
    scene.clock.set(new Date("2026-01-18T14:00:00Z"));
    await fireSchedules(scene.services, 10);
    expect((await scene.runsOf(ruleId)).map((run) => run.causeId)).toEqual(["2026-01-18T14:00:00.000Z"]);
  });
});

describe("two workers at once", () => {
  it("start exactly one run for every scheduled time", async () => {
    const ruleIds = await Promise.all(Array.from({ length: 30 }, () => scene.addRule(daily, FRIDAY)));
    for (let day = 0; day < 3; day += 1) {
      scene.clock.set(new Date(Date.parse(FRIDAY) + day * DAY_MS));
      await Promise.all(Array.from({ length: 4 }, () => fireSchedules(scene.services, 100)));
    }
    for (const ruleId of ruleIds) {
      expect((await scene.runsOf(ruleId)).map((run) => run.causeId)).toEqual([
        FRIDAY,
        "2026-01-17T14:00:00.000Z",
        "2026-01-18T14:00:00.000Z",
      ]);
      expect(await scene.skippedOf(ruleId)).toEqual([]);
    }
  });

  it("do not wait for each other's rules", async () => {
    const ruleId = await scene.addRule(daily, FRIDAY);
    scene.clock.set(new Date(FRIDAY));
    const { services } = scene;
    const fired = await overlap(
      database,
      (client) => fireSchedules({ ...services, pool: joinTransaction(database.pool, client) }, 10),
      () => fireSchedules(services, 10),
    );
    // Both found it due.
    expect(fired).toEqual({ hasWaited: false, result: 1 });
    expect(await scene.runsOf(ruleId)).toHaveLength(1);
  });

  it("leave nothing half done when one is killed", async () => {
    const ruleId = await scene.addRule(daily, FRIDAY);
    scene.clock.set(new Date("2026-01-18T15:00:00Z"));
    await inOpenTransaction(database.ownerPool, async (owner) => {
      // Blocks the worker after it has started the run, before it records the skipped times.
      await owner.query("lock table rule_skipped_times in exclusive mode");
      const killed = expect(fireSchedules(scene.services, 10)).rejects.toThrow();
      await waitUntil("the worker waits and is killed", async () => {
        const { rowCount } = await database.pool.query(
          `select pg_terminate_backend(pid) from pg_locks where not granted
             and relation = 'rule_skipped_times'::regclass
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rowCount === 1;
      });
      await killed;
    });
    expect(await scene.runsOf(ruleId)).toEqual([]);
    await fireSchedules(scene.services, 10);
    expect((await scene.runsOf(ruleId)).map((run) => run.causeId)).toEqual(["2026-01-18T14:00:00.000Z"]);
    expect(await scene.skippedOf(ruleId)).toHaveLength(2);
  });
});

describe("a definition that this version of Sluice cannot read", () => {
  it("does not stop other rules and loses none of its times", async () => {
    const future = await scene.addRule(daily, "2026-01-16T13:00:00.000Z", { shape: "of tomorrow" });
    const ruleId = await scene.addRule(daily, FRIDAY);
    scene.clock.set(new Date(FRIDAY));
    await fireSchedules(scene.services, 10);
    expect(await scene.runsOf(ruleId)).toHaveLength(1);
    expect(await scene.runsOf(future)).toEqual([]);
    // Retried in an hour; until then it is not due.
    expect(await scene.nextRunOf(future)).toBe("2026-01-16T15:00:00.000Z");
    expect(await fireSchedules(scene.services, 10)).toBe(0);

    // Simulates an upgrade of Sluice: the version becomes readable.
    await database.ownerPool.query("alter table rule_versions disable trigger rule_versions_append_only");
    await database.ownerPool.query(
      `update rule_versions set definition = (select definition from rule_versions where rule_id = $2)
        where organization_id = $1 and rule_id = $3`,
      [scene.organizationId, ruleId, future],
    );
    await database.ownerPool.query("alter table rule_versions enable trigger rule_versions_append_only");
    scene.clock.set(new Date("2026-01-17T15:00:00Z"));
    await fireSchedules(scene.services, 10);
    expect((await scene.runsOf(future)).map((run) => run.causeId)).toEqual(["2026-01-17T14:00:00.000Z"]);
    expect((await scene.skippedOf(future)).map((skip) => skip.scheduledFor)).toEqual([FRIDAY]);
  });
});
