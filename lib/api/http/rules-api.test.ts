import { beforeAll, expect, test } from "vitest";
import { newId } from "@/lib/platform/ids";
import { createTestApi } from "@/lib/testing/api";
import { type TestDatabase, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { makeActive } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

/**
 * Rules as programs write and read them. What would be lost: a rule that becomes active without a human, that another
 * organization reads, or that means something else than its writer sent.
 */
const NOW = new Date("2026-01-15T17:00:00.000Z");

const database = useTestDatabase();
let setting: Awaited<ReturnType<typeof arrange>>;

beforeAll(async () => {
  setting = await arrange(database);
});

async function arrange(testDatabase: TestDatabase) {
  const { services } = createTestServices(testDatabase);
  const organization = await createTestOrganization(testDatabase, services);
  const operating = await organization.addAccount({ name: "Operating", type: "POD" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const everything = await organization.addKey([
    { type: "READ_RULES", rules: "ALL" },
    { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
    { type: "TRIGGER_RULES", rules: "ALL" },
  ]);
  const stranger = await createTestOrganization(testDatabase, services, "Elsewhere");
  const foreignPod = await stranger.addAccount({ name: "Theirs", type: "POD" });
  const foreignKey = await stranger.addKey([{ type: "READ_RULES", rules: "ALL" }]);
  return {
    call: createTestApi(services),
    organization,
    operating,
    taxes,
    key: everything.text,
    foreignPod,
    foreignKey,
  };
}

function share(overrides: object = {}) {
  return {
    type: "PERCENTAGE",
    sourceAccountId: setting.operating,
    destinationAccountId: setting.taxes,
    group: 0,
    percentage: 25,
    of: "SOURCE_BALANCE",
    ...overrides,
  };
}

function definition(overrides: object = {}) {
  return {
    name: "Set aside taxes",
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: setting.operating },
    steps: [{ actions: [share()] }],
    ...overrides,
  };
}

async function create(overrides: object = {}): Promise<{ id: string; version: number }> {
  const { status, body } = await setting.call(setting.key, "POST", "/rules", { body: definition(overrides) });
  expect(status).toBe(201);
  expect(body).toMatchObject({ data: { id: expect.any(String), version: 1 } });
  return Object(body).data;
}

test("a rule that a program creates is inactive and says where a human activates it", async () => {
  const { status, body } = await setting.call(setting.key, "POST", "/rules", { body: definition() });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    data: {
      status: "INACTIVE",
      version: 1,
      activeVersion: null,
      activationUrl: expect.stringMatching(/^http:\/\/localhost:3000\/rules\/[0-9a-f-]{36}$/),
      trigger: { type: "ON_FUNDS_TRANSFERRED", minimumAmountInCents: null },
      steps: [{ conditions: null, actions: [{ upTo: false, limitId: null, description: null }] }],
    },
  });
});

test("what is read is what was written, and lists leave the steps out", async () => {
  // Only the call that writes it says whether it could be activated: that may change later.
  const { activation: _activation, ...rule } = Object(await create({ name: "Read me" }));
  const read = await setting.call(setting.key, "GET", `/rules/${rule.id}`);
  expect(read.body).toMatchObject({ data: rule });
  const list = await setting.call(
    setting.key,
    "GET",
    `/rules?sourceAccountId=${setting.operating}&pageSize=100`,
  );
  const { steps: _, ...summary } = Object(read.body).data;
  expect(Object(list.body).data.items).toContainEqual(summary);
  const others = await setting.call(setting.key, "GET", `/rules?sourceAccountId=${setting.taxes}`);
  expect(Object(others.body).data.items).toEqual([]);
  const active = await setting.call(setting.key, "GET", "/rules?status=ACTIVE");
  expect(Object(active.body).data.items).toEqual([]);
});

test("an edit is a new version, and nothing of it is active", async () => {
  const { id } = await create();
  const edited = await setting.call(setting.key, "PUT", `/rules/${id}`, {
    body: { ...definition({ name: "A third for taxes" }), expectedVersion: 1 },
  });
  expect(edited.status).toBe(200);
  expect(edited.body).toMatchObject({ data: { version: 2, activeVersion: null, name: "A third for taxes" } });
});

test("of twenty edits of one version at once, one succeeds and the others learn that they are late", async () => {
  const { id } = await create();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      setting.call(setting.key, "PUT", `/rules/${id}`, {
        body: { ...definition({ name: `Edit ${index}` }), expectedVersion: 1 },
      }),
    ),
  );
  const statuses = answers.map((answer) => answer.status).sort();
  expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  const { rows } = await database.ownerPool.query("select version from rule_versions where rule_id = $1", [
    id,
  ]);
  expect(rows).toHaveLength(2);
});

test("fifty identical creations at once with one idempotency key make one rule", async () => {
  const { text } = await setting.organization.addKey([{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" }]);
  const body = definition({ name: "Only once" });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      setting.call(text, "POST", "/rules", { body, headers: { "idempotency-key": "once" } }),
    ),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
  expect(new Set(answers.map((answer) => Object(answer.body).data.id)).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === "true")).toHaveLength(49);
  const other = await setting.call(text, "POST", "/rules", {
    body: definition({ name: "Another" }),
    headers: { "idempotency-key": "once" },
  });
  expect(other).toMatchObject({ status: 400, body: { error: { code: "IDEMPOTENCY_KEY_MISMATCH" } } });
});

test("a key with a list edits those rules, and neither others nor new ones", async () => {
  const mine = await create();
  const other = await create();
  const { text } = await setting.organization.addKey([
    { type: "CREATE_AND_EDIT_RULES", rules: [mine.id] },
    { type: "READ_RULES", rules: [mine.id] },
    { type: "TRIGGER_RULES", rules: [mine.id] },
  ]);
  const denied = { status: 403, body: { error: { code: "ACCESS_DENIED" } } };
  expect(await setting.call(text, "POST", "/rules", { body: definition() })).toMatchObject(denied);
  expect(await setting.call(text, "PUT", `/rules/${other.id}`, { body: definition() })).toMatchObject(denied);
  expect(await setting.call(text, "GET", `/rules/${other.id}`)).toMatchObject(denied);
  expect(await setting.call(text, "GET", `/rules/${other.id}/executions`)).toMatchObject(denied);
  expect(await setting.call(text, "POST", `/rules/${other.id}/trigger`, { body: {} })).toMatchObject(denied);
  expect(await setting.call(text, "PUT", `/rules/${mine.id}`, { body: definition() })).toMatchObject({
    status: 200,
  });
  const list = await setting.call(text, "GET", "/rules?pageSize=100");
  expect(Object(list.body).data.items.map((item: { id: string }) => item.id)).toEqual([mine.id]);
});

test("a rule that this version cannot represent hides no other", async () => {
  const { id } = await create();
  const unknown = newId(NOW);
  const { organizationId, owner } = setting.organization;
  await database.ownerPool.query(
    `insert into rules (organization_id, id, name, latest_version, source_account_ids, created_at, updated_at)
      values ($1, $2, 'From the future', 1, '{}', $3, $3)`,
    [organizationId, unknown, NOW],
  );
  await database.ownerPool.query(
    `insert into rule_versions values ($1, $2, 1, '{"steps":"quantum"}', 'MEMBER', $3, 'Mara', $4)`,
    [organizationId, unknown, owner.actor.id, NOW],
  );
  const read = await setting.call(setting.key, "GET", `/rules/${unknown}`);
  expect(read).toMatchObject({ status: 403, body: { error: { code: "INVALID_RULE" } } });
  const list = await setting.call(setting.key, "GET", "/rules?pageSize=100");
  const ids = Object(list.body).data.items.map((item: { id: string }) => item.id);
  expect(ids).toContain(id);
  expect(ids).not.toContain(unknown);
});

test("a list reads no steps, so a rule with ones that this version cannot represent is in it", async () => {
  const { id } = await create();
  await database.ownerPool.query(
    `insert into rule_versions (organization_id, rule_id, version, definition, created_by_kind, created_by_id,
         created_by_name, created_at)
       select organization_id, rule_id, 2, definition || '{"steps":"quantum"}', created_by_kind, created_by_id,
           created_by_name, created_at
         from rule_versions where rule_id = $1`,
    [id],
  );
  await database.ownerPool.query("update rules set latest_version = 2, versions_made = 2 where id = $1", [
    id,
  ]);
  const read = await setting.call(setting.key, "GET", `/rules/${id}`);
  expect(read).toMatchObject({ status: 403, body: { error: { code: "INVALID_RULE" } } });
  const list = await setting.call(setting.key, "GET", "/rules?pageSize=100");
  const listed = Object(list.body).data.items.find((item: { id: string }) => item.id === id);
  expect(listed).toMatchObject({ version: 2 });
});

test("another organization's rule does not exist", async () => {
  const { id } = await create();
  for (const path of [`/rules/${id}`, `/rules/${id}/executions`, `/rules/${id}/executions/${id}`]) {
    expect(await setting.call(setting.foreignKey.text, "GET", path)).toMatchObject({
      status: 404,
      body: { error: { code: "RULE_NOT_FOUND" } },
    });
  }
});

test("a rule that nobody activated is tried, and not run", async () => {
  const { id } = await create();
  const trigger = (body: object) => setting.call(setting.key, "POST", `/rules/${id}/trigger`, { body });
  expect(await trigger({})).toMatchObject({ status: 403, body: { error: { code: "RULE_DEACTIVATED" } } });
  const dry = await trigger({ simulation: true, reasonForApproval: "Let me see" });
  expect(dry).toMatchObject({
    status: 202,
    body: {
      data: { ruleId: id, executionMode: "SIMULATION", reasonForApproval: "Let me see", approvalUrl: null },
    },
  });
  const { executionId } = Object(dry.body).data;
  const run = await setting.call(setting.key, "GET", `/rules/${id}/executions/${executionId}`);
  expect(run).toMatchObject({
    status: 200,
    body: { data: { id: executionId, executionMode: "SIMULATION" } },
  });
  expect(await trigger({ executeAmount: -1 })).toMatchObject({ status: 400 });
});

test("a rule that can never be activated says so where it is written, and one that can does not", async () => {
  const { organization } = setting;
  const income = await organization.addAccount({ name: "Income", type: "POD" });
  const visa = await organization.addAccount({
    name: "Visa",
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "LIABILITY",
    balanceInCents: 50_000,
  });
  const onIncome = { type: "ON_FUNDS_TRANSFERRED", accountId: income };
  const from = { sourceAccountId: income, group: 0 };
  const payday = await create({ name: "Payday", trigger: onIncome, steps: [{ actions: [share(from)] }] });
  expect(payday).toMatchObject({ activation: { canActivate: true, problems: [] } });
  await makeActive(database, payday.id);
  const once = { frequency: "ONE_TIME", startAt: "2020-01-01T00:00:00Z", timeZone: "America/New_York" };
  const byHand = { type: "MANUAL", accountId: income };
  const wrong: [string, object][] = [
    ["ONLY_ARRIVAL_RULE", { trigger: onIncome, steps: [{ actions: [share(from)] }] }],
    ["SCHEDULE", { trigger: { type: "SCHEDULED", accountId: income, schedule: once } }],
    [
      "TOP_UP_DEBT",
      {
        trigger: byHand,
        steps: [{ actions: [{ ...from, type: "TOP_UP", destinationAccountId: visa, amountInCents: 100 }] }],
      },
    ],
    [
      "DEBTS",
      {
        trigger: byHand,
        steps: [{ actions: [{ ...from, type: "TOTAL_AMOUNT_DUE", destinationAccountId: setting.taxes }] }],
      },
    ],
  ];
  const { id } = await create();
  // A second key that reads nothing: it learns what is wrong, and no name of a rule or an account.
  const blind = await organization.addKey([{ type: "CREATE_AND_EDIT_RULES", rules: "ALL" }]);
  for (const [code, overrides] of wrong) {
    const body = definition(overrides);
    const expected = { canActivate: false, problems: [{ code, message: expect.any(String) }] };
    for (const key of [setting.key, blind.text]) {
      expect(await setting.call(key, "POST", "/rules", { body })).toMatchObject({
        status: 201,
        body: { data: { activation: expected } },
      });
    }
    expect(await setting.call(setting.key, "PUT", `/rules/${id}`, { body })).toMatchObject({
      status: 200,
      body: { data: { activation: expected } },
    });
  }
  const [[, second] = []] = wrong;
  const reported = async (key: string) => {
    const written = await setting.call(key, "POST", "/rules", { body: definition(second) });
    return Object(written.body).data.activation.problems[0].message;
  };
  expect(await reported(setting.key)).toContain("Deactivate Payday first");
  expect(await reported(blind.text)).toContain("Deactivate another rule first");
  // What is read later has no such answer: it would be of another moment.
  const read = await setting.call(setting.key, "GET", `/rules/${payday.id}`);
  expect(Object(read.body).data).not.toHaveProperty("activation");
});

test("a trigger without a body is one with an empty body", async () => {
  const { id } = await create();
  for (const rawBody of [undefined, ""]) {
    const options = rawBody === undefined ? {} : { rawBody };
    expect(await setting.call(setting.key, "POST", `/rules/${id}/trigger`, options)).toMatchObject({
      status: 403,
      body: { error: { code: "RULE_DEACTIVATED" } },
    });
  }
  // Where a field is required, it is named.
  expect(await setting.call(setting.key, "POST", "/rules")).toMatchObject({
    status: 400,
    body: { error: { details: expect.arrayContaining([expect.objectContaining({ field: "name" })]) } },
  });
});

test("a dry run tries the version that it names, and says which it was and from what", async () => {
  const { id } = await create();
  const path = `/rules/${id}/trigger`;
  await makeActive(database, id);
  const never = { fact: "BALANCE", accountId: setting.operating, operator: "LESS_THAN", value: -1 };
  const changed = definition({ steps: [{ conditions: { all: [never] }, actions: [share()] }] });
  expect(await setting.call(setting.key, "PUT", `/rules/${id}`, { body: changed })).toMatchObject({
    status: 200,
  });
  const dry = async (body: object) => {
    const tried = await setting.call(setting.key, "POST", path, { body: { simulation: true, ...body } });
    expect(tried).toMatchObject({ status: 202 });
    const { executionId, ruleVersion, base } = Object(tried.body).data;
    const run = await setting.call(setting.key, "GET", `/rules/${id}/executions/${executionId}`);
    expect(run).toMatchObject({ status: 200, body: { data: { ruleVersion, base } } });
    return { ruleVersion, base, conditionsNotMet: Object(run.body).data.conditionsNotMet };
  };
  expect(await dry({})).toMatchObject({ ruleVersion: 1, conditionsNotMet: false });
  expect(await dry({ version: "latest" })).toMatchObject({ ruleVersion: 2, conditionsNotMet: true });
  expect(await dry({ version: 2 })).toMatchObject({ ruleVersion: 2, conditionsNotMet: true });
  expect(await dry({ version: 1, simulatedSourceBalance: 5_000 })).toMatchObject({
    ruleVersion: 1,
    base: {
      kind: "SIMULATED_SOURCE_BALANCE",
      accountId: setting.operating,
      availableInCents: 5_000,
      setsOff: null,
    },
  });
  for (const body of [
    { simulation: true, version: 3 },
    { simulation: true, version: "active" },
    { simulation: true, version: 0 },
    { version: 1 },
    { simulation: false, version: "latest" },
  ]) {
    expect(await setting.call(setting.key, "POST", path, { body })).toMatchObject({
      status: 400,
      body: { error: { code: "INVALID_PARAMETERS", details: [{ field: "version" }] } },
    });
  }
});

test("a run is found under its own rule only, and a path's ids have their own errors", async () => {
  const { id } = await create();
  const read = (path: string) => setting.call(setting.key, "GET", path);
  expect(await read(`/rules/${id}/executions`)).toMatchObject({ status: 200, body: { data: { items: [] } } });
  expect(await read(`/rules/${id}/executions/${id}`)).toMatchObject({
    status: 404,
    body: { error: { code: "RULE_EXECUTION_NOT_FOUND" } },
  });
  expect(await read(`/rules/${id}/executions/nothing`)).toMatchObject({
    status: 404,
    body: { error: { code: "RULE_EXECUTION_NOT_FOUND" } },
  });
  expect(await read("/rules/nothing/executions/nothing")).toMatchObject({
    status: 404,
    body: { error: { code: "RULE_NOT_FOUND" } },
  });
});

test("a run tells what became of its transfers, and lists keep live and simulated apart", async () => {
  const { id: ruleId } = await create();
  const { organizationId } = setting.organization;
  const runs = { live: newId(NOW), simulated: newId(NOW) };
  for (const [mode, id] of [
    ["LIVE", runs.live],
    ["SIMULATION", runs.simulated],
  ]) {
    await database.ownerPool.query(
      `insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode, trigger_details,
          step_index_matched, transfers_attempted, created_at)
        values ($1, $2, $3, 1, 'PARTIAL', $4, '{"type":"SERVICE_API","amountInCents":5000}', 0, 4, $5)`,
      [organizationId, id, ruleId, mode, NOW],
    );
  }
  for (const status of ["COMPLETE", "RETURNED", "FAILED"]) {
    await database.ownerPool.query(
      `insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
          source_account_id, destination_account_id, rule_id, rule_execution_id, proposed_by_kind, proposed_by_name,
          created_at, updated_at)
        values ($1, $2, $3, 'LIVE', 'INTERNAL', 'RULE', 500, $4, $5, $6, $7, 'RULE', 'Set aside taxes', $8, $8)`,
      [organizationId, newId(NOW), status, setting.operating, setting.taxes, ruleId, runs.live, NOW],
    );
  }
  const read = await setting.call(setting.key, "GET", `/rules/${ruleId}/executions/${runs.live}`);
  expect(read.body).toMatchObject({
    data: {
      triggerDetails: { type: "SERVICE_API", amountInCents: 5000 },
      transfersAttempted: 4,
      transfersCompleted: 2,
      transfersFailed: 1,
      transfersPending: 0,
      transferIds: [expect.any(String), expect.any(String), expect.any(String)],
      nextAttemptAt: null,
    },
  });
  const ids = async (query: string) => {
    const { body } = await setting.call(setting.key, "GET", `/rules/${ruleId}/executions${query}`);
    return Object(body).data.items.map((item: { id: string }) => item.id);
  };
  expect(await ids("")).toEqual([runs.live]);
  expect(await ids("?executionMode=SIMULATION")).toEqual([runs.simulated]);
  expect(await ids("?executionMode=ALL")).toEqual([runs.simulated, runs.live]);
  expect(await ids("?executionMode=ALL&status=EXECUTED")).toEqual([]);
});

test.each<[string, () => object, string]>([
  ["no step", () => ({ steps: [] }), "steps"],
  [
    "more than everything shared out",
    () => ({ steps: [{ actions: [share({ percentage: 60 }), share({ percentage: 40.0001 })] }] }),
    "steps.0.actions",
  ],
  ["a limit that is not there", () => ({ steps: [{ actions: [share({ limitId: "rent" })] }] }), "limitId"],
  [
    "money to where it came from",
    () => ({ steps: [{ actions: [share({ destinationAccountId: setting.operating })] }] }),
    "destinationAccountId",
  ],
  [
    "another organization's account",
    () => ({ steps: [{ actions: [share({ destinationAccountId: setting.foreignPod })] }] }),
    "steps.0.actions.0.destinationAccountId",
  ],
  [
    "an account that does not exist, in a condition",
    () => ({
      steps: [
        {
          conditions: {
            all: [
              {
                any: [
                  {
                    fact: "BALANCE",
                    accountId: "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11",
                    operator: "EQUAL",
                    value: 1,
                  },
                ],
              },
            ],
          },
          actions: [share()],
        },
      ],
    }),
    "steps.0.conditions",
  ],
  ["a schedule without its day", () => ({ trigger: scheduled({ frequency: "WEEKLY" }) }), "dayOfWeek"],
  ["a time zone that is none", () => ({ trigger: scheduled({ timeZone: "Mars/Olympus" }) }), "timeZone"],
  ["a field that is none", () => ({ steps: [{ actions: [share({ amount: 5 })] }] }), "amount"],
])("a rule with %s is refused, naming the field", async (_, overrides, field) => {
  const { status, body } = await setting.call(setting.key, "POST", "/rules", {
    body: definition(overrides()),
  });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(field);
});

function scheduled(overrides: object) {
  const schedule = { frequency: "DAILY", startAt: "2026-01-20T09:00:00Z", timeZone: "America/New_York" };
  return { type: "SCHEDULED", accountId: setting.operating, schedule: { ...schedule, ...overrides } };
}

test("conditions nested without end are refused, not followed", async () => {
  const nested = `${'{"all":['.repeat(5_000)}${"]}".repeat(5_000)}`;
  const rawBody = JSON.stringify(definition({ steps: [{ conditions: null, actions: [share()] }] })).replace(
    '"conditions":null',
    `"conditions":${nested}`,
  );
  const { status } = await setting.call(setting.key, "POST", "/rules", { rawBody });
  expect(status).toBe(400);
});

test("an id in the body that the path gives already is refused", async () => {
  const { id } = await create();
  const { status, body } = await setting.call(setting.key, "PUT", `/rules/${id}`, {
    body: { ...definition(), id },
  });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain("belongs only in the path");
});
