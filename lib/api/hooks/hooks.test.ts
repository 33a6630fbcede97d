import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { createHooks } from "@/lib/api/hooks/app";
import { triggeredExecutionSchema } from "@/lib/contract/rules/execution";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { sendNotices } from "@/lib/core/notifications/send-notices";
import { makeHookSecret, removeHook, setHookApproval } from "@/lib/core/rules/rule-hooks";
import { RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive, runAllRules, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { readHookPage } from "@/lib/views/rules/read-hook-page";

/**
 * A hook is an address that moves money. Goal: without its secret nobody learns or does anything; with it, one rule
 * runs, once for each time that was asked, and a person is asked unless someone switched that off.
 */
const NO_RULE = "0198c1de-0000-7000-8000-000000000001";
const HOUR_MS = 3_600_000;

const database = useTestDatabase();
let scene: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  scene = await arrange();
});

async function arrange() {
  const { services: quiet, clock, woken } = createTestServices(database);
  const logged: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => logged.push(line) });
  const services = { ...quiet, log };
  const organization = await createTestOrganization(database, services);
  const source = await organization.addAccount({ name: "Operating", type: "POD", balanceInCents: 1_000_000 });
  const destination = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(anythingWithRules(false));
  const action = { type: "FIXED", sourceAccountId: source, destinationAccountId: destination, group: 0 };
  const ruleId = await writeRule(services, key.context, {
    name: "Tax",
    trigger: { type: "MANUAL", accountId: source },
    steps: [{ actions: [{ ...action, amountInCents: 5_000 }] }],
  });
  await makeActive(database, ruleId);
  // Writing the rule notified its owners.
  woken.length = 0;
  const owner = organization.owner;
  const secret = await makeHookSecret(services, owner, ruleId);
  const hooks = createHooks({ ...services, audit: createAuditWriter(services) });

  async function call(
    bearer: string | null,
    options: { method?: string; path?: string; headers?: Record<string, string>; body?: string } = {},
  ) {
    const { method = "POST", path = `/hooks/rules/${ruleId}`, headers, body } = options;
    const response = await hooks.request(path, {
      method,
      headers: { ...(bearer !== null && { Authorization: `Bearer ${bearer}` }), ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const json: unknown = isJson ? JSON.parse(text) : null;
    return { status: response.status, headers: response.headers, text, body: json };
  }

  const rows = async (sql: string) =>
    (await database.ownerPool.query(sql, [organization.organizationId, ruleId])).rows;
  const runs = () =>
    rows(`select id, status, trigger_details as details, started_by_kind as "by", approval_required as asks
      from rule_executions where organization_id = $1 and rule_id = $2 order by id`);
  const events = () =>
    rows(
      "select kind, by_user_id as by from rule_events where organization_id = $1 and rule_id = $2 order by id",
    );
  const audits = () =>
    rows(`select api_key_name as name, path, action, outcome, error_code as code from audit_entries
      where organization_id = $1 and api_key_id = $2 order by id`);
  return {
    ...organization,
    services,
    clock,
    woken,
    logged,
    ruleId,
    secret,
    hooks,
    call,
    runs,
    events,
    audits,
    rows,
  };
}

const codeOf = (body: unknown) => Object(Object(body).error).code;
const dataOf = (body: unknown) => triggeredExecutionSchema.parse(Object(body).data);

describe("a caller without the secret", () => {
  it("gets one and the same 401 for a wrong secret, none, a rule without a hook and a rule that is not there", async () => {
    const other = await arrange();
    await removeHook(scene.services, scene.owner, scene.ruleId);
    const path = (id: string) => ({ path: `/hooks/rules/${id}` });
    const answers = [
      await other.call("sluice_hook_000000000000000000000000000000000000000000000000"),
      await other.call(null),
      await other.call("something else"),
      await scene.call(scene.secret),
      await other.call(other.secret, path(scene.ruleId)),
      await other.call(other.secret, path(NO_RULE)),
      await other.call(other.secret, path("no-uuid")),
    ];
    for (const { status, headers, text } of answers) {
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toBe('Bearer realm="Sluice"');
      expect(text).toBe(answers[0]?.text);
    }
    expect(await scene.runs()).toEqual([]);
    expect(await other.runs()).toEqual([]);
    expect(await other.audits()).toEqual([]);
  });

  it("finds no other method and no other path: 404 in plain text", async () => {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await scene.call(scene.secret, { method });
      expect([method, answer.status, answer.headers.get("content-type")]).toEqual([
        method,
        404,
        expect.stringContaining("text/plain"),
      ]);
    }
    expect((await scene.call(scene.secret, { path: "/hooks" })).status).toBe(404);
    expect((await scene.call(scene.secret, { path: `/hooks/rules/${scene.ruleId}/trigger` })).status).toBe(
      404,
    );
    expect(await scene.runs()).toEqual([]);
  });
});

describe("a program with the secret", () => {
  it("asks a person by default: the run waits, and the answer says where it is decided", async () => {
    const answer = await scene.call(scene.secret, { headers: { "x-called-reason": "Invoice 318 was paid" } });
    expect(answer.status).toBe(202);
    const execution = dataOf(answer.body);
    expect(execution).toMatchObject({
      ruleId: scene.ruleId,
      status: "APPROVAL_PENDING",
      executionMode: "LIVE",
      reasonForApproval: null,
      approvalUrl: `http://localhost:3000/?approvalTransferId=${execution.executionId}`,
    });
    expect(Object(answer.body).requestId).toBe(answer.headers.get("x-request-id"));
    expect(await scene.runs()).toEqual([
      {
        id: execution.executionId,
        status: "APPROVAL_PENDING",
        details: { type: "REMOTE_API" },
        by: "HOOK",
        asks: true,
      },
    ]);
    const [proposal] = await scene.rows(
      "select kind, state, api_key_id as key, request from proposals where organization_id = $1 and $2::uuid is not null",
    );
    expect(proposal).toMatchObject({
      kind: "RULE_RUN",
      state: "WAITING",
      key: null,
      request: { method: "POST", calledReason: "Invoice 318 was paid", body: null },
    });
    expect(JSON.stringify(proposal)).not.toContain(scene.secret);
    expect(scene.woken).toEqual([SEND_NOTICES]);
    expect(await scene.audits()).toEqual([
      {
        name: "Hook of Tax",
        path: `/hooks/rules/${scene.ruleId}`,
        action: "TRIGGER_RULE",
        outcome: "SUCCESS",
        code: null,
      },
    ]);
  });

  it("tells the deciders of a flood together, like that of a key", async () => {
    for (let asked = 0; asked < 8; asked += 1) await scene.call(scene.secret);
    const subjects = async () =>
      (
        await scene.rows(`select subject from messages where organization_id = $1 and channel = 'EMAIL'
          and $2::uuid is not null order by id`)
      ).length;
    await sendNotices(scene.services, { isSandboxBank: true }, 50);
    expect(await subjects()).toBe(5);
    scene.clock.advance(HOUR_MS / 4);
    await sendNotices(scene.services, { isSandboxBank: true }, 50);
    expect(await subjects()).toBe(6);
  });

  it("moves money without a person once approval is switched off", async () => {
    await setHookApproval(scene.services, scene.owner, { ruleId: scene.ruleId, isRequired: false });
    const execution = dataOf((await scene.call(scene.secret, { body: "{}" })).body);
    expect([execution.status, execution.approvalUrl]).toEqual(["IN_PROGRESS", null]);
    expect(scene.woken).toEqual([RUN_RULES]);
    await runAllRules(scene.services);
    const transfers = await scene.rows(
      "select amount_in_cents as cents, origin from transfers where organization_id = $1 and rule_id = $2",
    );
    expect(transfers).toEqual([{ cents: 5_000, origin: "RULE" }]);
  });

  it("learns that the rule is not active, also while it is paused, and nothing runs", async () => {
    await database.ownerPool.query(
      "update rules set paused_at = now(), paused_by_transfer_id = gen_random_uuid() where id = $1",
      [scene.ruleId],
    );
    const paused = await scene.call(scene.secret);
    expect([paused.status, codeOf(paused.body)]).toEqual([403, "RULE_DEACTIVATED"]);
    expect(paused.text).toContain("paused");
    await database.ownerPool.query(
      `update rules set paused_at = null, paused_by_transfer_id = null, active_version = null,
         active_trigger_type = null, active_trigger_account_id = null where id = $1`,
      [scene.ruleId],
    );
    const inactive = await scene.call(scene.secret, { headers: { "idempotency-key": "again" } });
    expect([inactive.status, codeOf(inactive.body)]).toEqual([403, "RULE_DEACTIVATED"]);
    expect(await scene.runs()).toEqual([]);
    expect((await scene.audits()).map(({ code }) => code)).toEqual(["RULE_DEACTIVATED", "RULE_DEACTIVATED"]);
    // What was refused before it began leaves its key free.
    await makeActive(database, scene.ruleId);
    const free = await scene.call(scene.secret, { headers: { "idempotency-key": "again" } });
    expect(free.status).toBe(202);
  });

  it.each([
    ['{"amountInCents":100}', 400, "INVALID_PARAMETERS"],
    ["[]", 400, "INVALID_PARAMETERS"],
    ["amount=1", 400, "INVALID_PARAMETERS"],
    [`"${"x".repeat(70_000)}"`, 413, "PAYLOAD_TOO_LARGE"],
  ])("may send no content: %.30s is refused with %i", async (body, status, code) => {
    const answer = await scene.call(scene.secret, { body });
    expect([answer.status, codeOf(answer.body)]).toEqual([status, code]);
    expect(await scene.runs()).toEqual([]);
  });

  it("may send nothing in the address, and no unreadable idempotency key", async () => {
    const inAddress = await scene.call(scene.secret, { path: `/hooks/rules/${scene.ruleId}?amount=100` });
    expect(codeOf(inAddress.body)).toBe("INVALID_PARAMETERS");
    const badKey = await scene.call(scene.secret, { headers: { "idempotency-key": "a b" } });
    expect(codeOf(badKey.body)).toBe("INVALID_PARAMETERS");
  });

  it("is counted for itself: 100 requests a minute, then 429 with when to try again", async () => {
    await database.ownerPool.query("update rate_windows set requests = 99 where api_key_id = $1", [
      scene.ruleId,
    ]);
    await scene.call("sluice_hook_wrong");
    await scene.call(scene.secret);
    await database.ownerPool.query("update rate_windows set requests = 99 where api_key_id = $1", [
      scene.ruleId,
    ]);
    const last = await scene.call(scene.secret);
    expect([last.status, last.headers.get("ratelimit")]).toEqual([
      202,
      expect.stringMatching(/^"per-hook";r=0;t=/),
    ]);
    const refused = await scene.call(scene.secret);
    expect([refused.status, codeOf(refused.body)]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("an idempotency key", () => {
  const withKey = { headers: { "idempotency-key": "invoice-318" } };

  it("answers a repetition with the first answer, and starts over after 24 hours", async () => {
    const first = await scene.call(scene.secret, withKey);
    const again = await scene.call(scene.secret, {
      ...withKey,
      body: "{}",
      path: `/hooks/rules/${scene.ruleId.toUpperCase()}`,
    });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await scene.runs()).toHaveLength(1);
    expect(await scene.audits()).toHaveLength(2);
    scene.clock.advance(24 * HOUR_MS);
    const later = await scene.call(scene.secret, withKey);
    expect(dataOf(later.body).executionId).not.toBe(dataOf(first.body).executionId);
    expect(await scene.runs()).toHaveLength(2);
  });

  it("makes one run of many requests at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => scene.call(scene.secret, withKey)));
    expect(await scene.runs()).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 202) expect([status, codeOf(body)]).toEqual([409, "RULE_EXECUTION_IN_PROGRESS"]);
    }
  });

  it("is another one for another rule", async () => {
    const other = await arrange();
    await scene.call(scene.secret, withKey);
    const answer = await other.call(other.secret, withKey);
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
    expect(await other.runs()).toHaveLength(1);
  });
});

describe("the secret", () => {
  it("is stored as its hash, and shown to nobody afterwards", async () => {
    const { rows } = await database.ownerPool.query(
      "select h::text as text from rule_hooks h where rule_id = $1",
      [scene.ruleId],
    );
    expect(rows[0]?.text).not.toContain(scene.secret);
    const time = { nowAt: scene.clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    const page = await readHookPage({ services: scene.services, context: scene.owner, time }, scene.ruleId);
    expect(page?.hook).toMatchObject({
      secretLast4: scene.secret.slice(-4),
      approvalRequired: true,
      lastUsedAt: null,
    });
    expect(JSON.stringify(page)).not.toContain(scene.secret);
    await scene.call(scene.secret);
    const used = await readHookPage({ services: scene.services, context: scene.owner, time }, scene.ruleId);
    expect(used?.hook?.lastUsedAt).toBe(time.nowAt);
  });

  it("counts no longer from the moment that another was made, and approval stays as it was", async () => {
    await setHookApproval(scene.services, scene.owner, { ruleId: scene.ruleId, isRequired: false });
    const next = await makeHookSecret(scene.services, scene.owner, scene.ruleId);
    expect((await scene.call(scene.secret)).status).toBe(401);
    expect(dataOf((await scene.call(next)).body).status).toBe("IN_PROGRESS");
    await removeHook(scene.services, scene.owner, scene.ruleId);
    expect((await scene.call(next)).status).toBe(401);
    expect((await scene.events()).map(({ kind }) => kind)).toEqual([
      "HOOK_MADE",
      "HOOK_APPROVAL_OFF",
      "HOOK_MADE",
      "HOOK_REMOVED",
    ]);
  });

  it("is not in the log, also when something breaks on our side, and the caller learns nothing of it", async () => {
    await database.ownerPool.query("alter function start_hook_run(jsonb) rename to start_hook_run_away");
    try {
      const answer = await scene.call(scene.secret);
      expect([answer.status, codeOf(answer.body)]).toEqual([500, "UNEXPECTED_ERROR"]);
      expect(answer.text).not.toContain("start_hook_run");
    } finally {
      await database.ownerPool.query("alter function start_hook_run_away(jsonb) rename to start_hook_run");
    }
    expect(scene.logged.join("\n")).toContain("unexpected error");
    expect(scene.logged.join("\n")).not.toContain(scene.secret);
  });
});

describe("who may change a hook", () => {
  it("owners and co-owners, nobody else", async () => {
    for (const role of ["ACCOUNTANT", "VIEWER"] as const) {
      const member = await scene.addMember(role, role);
      await expect(makeHookSecret(scene.services, member, scene.ruleId)).rejects.toMatchObject({
        code: "ACCESS_DENIED",
      });
      await expect(removeHook(scene.services, member, scene.ruleId)).rejects.toMatchObject({
        code: "ACCESS_DENIED",
      });
      for (const isRequired of [true, false]) {
        await expect(
          setHookApproval(scene.services, member, { ruleId: scene.ruleId, isRequired }),
        ).rejects.toMatchObject({ code: "ACCESS_DENIED" });
      }
    }
    const coOwner = await scene.addMember("CO_OWNER", "Jonas");
    await makeHookSecret(scene.services, coOwner, scene.ruleId);
    expect((await scene.events()).at(-1)).toEqual({ kind: "HOOK_MADE", by: coOwner.actor.id });
  });

  it("only with a proof that is less than five minutes old, unless the change only stops", async () => {
    scene.clock.advance(6 * 60_000);
    const member = { ...scene.owner, now: scene.clock.now() };
    await expect(makeHookSecret(scene.services, member, scene.ruleId)).rejects.toThrow(NotConfirmed);
    await expect(
      setHookApproval(scene.services, member, { ruleId: scene.ruleId, isRequired: false }),
    ).rejects.toThrow(NotConfirmed);
    expect(dataOf((await scene.call(scene.secret)).body).status).toBe("APPROVAL_PENDING");
    await setHookApproval(scene.services, member, { ruleId: scene.ruleId, isRequired: true });
    expect(await removeHook(scene.services, member, scene.ruleId)).toBe(true);
    expect(await removeHook(scene.services, member, scene.ruleId)).toBe(false);
  });

  it("no rule of another organization, and none that was deleted", async () => {
    const other = await arrange();
    await expect(makeHookSecret(scene.services, scene.owner, other.ruleId)).rejects.toMatchObject({
      code: "RULE_NOT_FOUND",
    });
    await expect(removeHook(scene.services, scene.owner, other.ruleId)).rejects.toMatchObject({
      code: "RULE_NOT_FOUND",
    });
    const time = { nowAt: scene.clock.now().toISOString(), timeZone: "UTC", locale: "en-US" };
    expect(
      await readHookPage({ services: scene.services, context: scene.owner, time }, other.ruleId),
    ).toBeNull();
    expect((await other.call(other.secret)).status).toBe(202);
  });

  it("and no event of a rule can be forged by the application's role", async () => {
    await expect(
      database.pool.query("select note_hook_event($1, $2, $2, 'ACTIVATED', $3, now())", [
        scene.organizationId,
        scene.ruleId,
        scene.owner.actor.id,
      ]),
    ).rejects.toThrow("no event of a hook");
    await expect(database.pool.query("delete from rule_events")).rejects.toThrow("permission denied");
  });
});

it("a hundred runs of a hook wait for a person and no more, however many are asked for at once", async () => {
  const { call, secret, clock, rows, ruleId } = scene;
  const answers: Awaited<ReturnType<typeof call>>[] = [];
  for (let minute = 0; minute < 2; minute += 1) {
    answers.push(...(await Promise.all(Array.from({ length: 70 }, () => call(secret)))));
    clock.advance(60_000);
  }
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused).toHaveLength(40);
  for (const { status, body } of refused) {
    expect([status, codeOf(body)]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(Object(Object(body).error).message).toContain(
      "runs of this hook are already waiting for approval",
    );
  }
  // One decided makes room for one.
  await database.ownerPool.query(
    `update proposals set state = 'EXPIRED', decided_at = now() where id = (
       select id from rule_executions where rule_id = $1 order by id limit 1)`,
    [ruleId],
  );
  expect((await call(secret)).status).toBe(202);
  expect((await call(secret)).status).toBe(429);
  const waiting = await rows(
    `select count(*)::int as count from proposals p join rule_executions e using (organization_id, id)
      where organization_id = $1 and e.rule_id = $2 and p.state = 'WAITING'`,
  );
  expect(waiting).toEqual([{ count: 100 }]);
});
