/**
 * Goal: a rule's run starts by the same rules whether `trigger_rules` writes it with its group or `start_rule_run` starts
 * it alone, and never beside the end of its key, its rule or its hook. Method: a table of cases through both functions,
 * and transactions that overlap for certain.
 */
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { toRunItem } from "@/lib/core/rules/start-run";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const MINUTE_MS = 60_000;
const MAXIMUM_WAITING = 100;
const SECRET_HASH = createHash("sha256").update("secret").digest();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(anythingWithRules(false));
  const ruleId = await writeRule(services, key.context, {
    trigger: { type: "MANUAL", accountId: operating },
    steps: [
      {
        actions: [
          {
            type: "FIXED",
            sourceAccountId: operating,
            destinationAccountId: taxes,
            amountInCents: 100,
            group: 0,
          },
        ],
      },
    ],
  });
  await makeActive(database, ruleId);
  const owner = () => ({ ...organization.owner, now: clock.now() });
  const toRun = (startedBy: "API_KEY" | "HOOK", approvalRequired: boolean) =>
    toRunItem(newId(clock.now()), {
      organizationId,
      ruleId,
      triggerDetails: { type: "SERVICE_API", amountInCents: null },
      incomingAmountInCents: null,
      startedBy: { kind: startedBy, id: startedBy === "HOOK" ? ruleId : key.id, name: "test" },
      cause: null,
      approvalRequired,
      reasonForApproval: null,
      request: null,
      now: clock.now(),
    });
  const around = (callerId: string, idempotencyKey: string | null) => ({
    organizationId,
    ruleId,
    now: clock.now(),
    dryRun: null,
    idempotency: idempotencyKey && {
      operation: "triggerRule",
      path: `/platform/v1/rules/${ruleId}/trigger`,
      key: idempotencyKey,
      fingerprint: createHash("sha256").update("body").digest("hex"),
      status: 202,
      body: {},
      expiresAt: new Date(clock.now().getTime() + MINUTE_MS),
    },
    audit: {
      organizationId,
      id: newId(clock.now()),
      createdAt: clock.now(),
      apiKeyId: callerId,
      apiKeyName: "test",
      method: "POST",
      path: "/",
      action: "TRIGGER_RULE",
      reason: null,
      requestId: "req_1",
      outcome: "SUCCESS",
      errorCode: null,
    },
  });
  const { pool } = database;
  const outcomeOf = async (text: string, item: unknown): Promise<string> => {
    const { rows } = await pool.query<{ outcome: string }>(text, [JSON.stringify(item)]);
    return rows[0]?.outcome === "CREATED" ? "STARTED" : (rows[0]?.outcome ?? "");
  };
  const start = {
    trigger_rules: ({ approvalRequired = false, idempotencyKey = null }: Asked = {}) =>
      outcomeOf("select outcome from trigger_rules($1)", [
        { ...around(key.id, idempotencyKey), apiKeyId: key.id, run: toRun("API_KEY", approvalRequired) },
      ]),
    start_rule_run: ({ approvalRequired = false }: Asked = {}) =>
      outcomeOf("select start_rule_run($1) as outcome", toRun("API_KEY", approvalRequired)),
    start_hook_run: ({ approvalRequired = false, idempotencyKey = null }: Asked = {}) =>
      outcomeOf("select outcome from start_hook_run($1)", {
        ...around(ruleId, idempotencyKey),
        secretHash: SECRET_HASH.toString("hex"),
        run: toRun("HOOK", approvalRequired),
      }),
  };
  const addHook = (approvalRequired: boolean) =>
    pool.query(
      `insert into rule_hooks (organization_id, rule_id, secret_hash, secret_last4, approval_required, created_by, created_at)
       values ($1, $2, $3, 'abcd', $4, $5, $6)`,
      [organizationId, ruleId, SECRET_HASH, approvalRequired, organization.owner.actor.id, clock.now()],
    );
  const deactivate = (client: Queryable) =>
    client.query("select deactivate_rule($1)", [
      JSON.stringify({
        organizationId,
        ruleId,
        userId: organization.owner.actor.id,
        eventId: newId(clock.now()),
        now: clock.now(),
      }),
    ]);
  return { services, clock, organizationId, owner, key, ruleId, start, toRun, addHook, deactivate };
}

interface Asked {
  approvalRequired?: boolean;
  idempotencyKey?: string | null;
}

let world: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  world = await arrange();
});

describe.each(["trigger_rules", "start_rule_run"] as const)("%s", (by) => {
  const cases: [string, () => Promise<unknown>, string, boolean[]][] = [
    ["starts an active rule", async () => undefined, "STARTED", [false, true]],
    [
      "starts nothing while all gates are closed",
      () => closeGates(world.services, world.owner()),
      "GATES_CLOSED",
      [false, true],
    ],
    [
      "starts nothing for a revoked key",
      () => revokeApiKey(world.services, world.owner(), world.key.id),
      "KEY_REVOKED",
      [false, true],
    ],
    ["starts no deactivated rule", () => world.deactivate(database.pool), "NOT_ACTIVE", [false, true]],
    [
      "starts no paused rule",
      () =>
        database.ownerPool.query(
          `update rules set paused_at = $2, paused_by_transfer_id = (select t.id from transfers t
             where t.organization_id = rules.organization_id limit 1) where id = $1`,
          [world.ruleId, world.clock.now()],
        ),
      "PAUSED",
      [false, true],
    ],
  ];
  it.each(cases)("%s", async (_, happens, expected, approvals) => {
    await happens();
    for (const approvalRequired of approvals)
      expect(await world.start[by]({ approvalRequired })).toBe(expected);
  });

  it("lets exactly a hundred proposals of a key wait", async () => {
    await database.ownerPool.query(
      `insert into proposals (organization_id, id, kind, state, api_key_id, created_at, expires_at, remind_at)
       select $1, gen_random_uuid(), 'RULE_RUN', 'WAITING', $2, $3, $3, $3 from generate_series(1, $4)`,
      [world.organizationId, world.key.id, world.clock.now(), MAXIMUM_WAITING - 1],
    );
    expect(await world.start[by]({ approvalRequired: true })).toBe("STARTED");
    expect(await world.start[by]({ approvalRequired: true })).toBe("TOO_MANY_WAITING");
    expect(await world.start[by]()).toBe("STARTED");
  });

  it("waits for a revocation of its key in progress, and starts nothing", async () => {
    const { organizationId, key, owner } = world;
    const raced = await overlap(
      database,
      (client) =>
        client.query("select * from revoke_api_key($1, $2, $3, 'MEMBER', $4)", [
          organizationId,
          key.id,
          owner().actor.id,
          owner().now,
        ]),
      () => world.start[by](),
    );
    expect(raced).toEqual({ hasWaited: true, result: "KEY_REVOKED" });
  });

  it("waits for a deactivation of its rule in progress, and starts nothing", async () => {
    const raced = await overlap(database, world.deactivate, () => world.start[by]());
    expect(raced).toEqual({ hasWaited: true, result: "NOT_ACTIVE" });
  });
});

it("a run under an id that is taken is an error, and not left out as one that its cause has started", async () => {
  const write = () => database.ownerPool.query("select write_rule_runs($1)", [JSON.stringify([run])]);
  const run = world.toRun("API_KEY", false);
  await write();
  await expect(write()).rejects.toThrow("rule_executions_pkey");
});

describe.each(["trigger_rules", "start_hook_run"] as const)("%s", (by) => {
  it("repeats the answer of an idempotency key until the moment it expires", async () => {
    await world.addHook(false);
    const again = () => world.start[by]({ idempotencyKey: "same" });
    expect(await again()).toBe("STARTED");
    world.clock.advance(MINUTE_MS - 1);
    expect(await again()).toBe("REPLAY");
    world.clock.advance(1);
    expect(await again()).toBe("STARTED");
  });
});

describe("start_hook_run", () => {
  it("starts no run without approval once the hook requires one, nor the reverse", async () => {
    await world.addHook(true);
    expect(await world.start.start_hook_run({ approvalRequired: false })).toBe("HOOK_GONE");
    expect(await world.start.start_hook_run({ approvalRequired: true })).toBe("STARTED");
  });

  it("waits for the removal of its hook in progress, and starts nothing", async () => {
    await world.addHook(false);
    const raced = await overlap(
      database,
      (client) => client.query("delete from rule_hooks where rule_id = $1", [world.ruleId]),
      () => world.start.start_hook_run(),
    );
    expect(raced).toEqual({ hasWaited: true, result: "HOOK_GONE" });
  });
});
