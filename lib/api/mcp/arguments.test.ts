import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { ALL_PERMISSIONS, ALL_WITHOUT_APPROVAL } from "@/lib/testing/api-proof/key-ring";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp, type TestMcp } from "@/lib/testing/mcp";

/** Arguments as models write them: strict function schemas fill in every field, and some write lists as text. */

const database = useTestDatabase();
let world: ProofWorld;
let mcp: TestMcp;
beforeAll(async () => {
  world = await createProofWorld(database);
  mcp = createTestMcp(world.services);
});

const call = async (name: string, sent: Record<string, unknown>) =>
  mcp.callTool(await world.keys.next(), name, sent);
const detailsOf = (structured: unknown): { field: string; message: string }[] =>
  Object(Object(structured).error).details ?? [];

describe("null for an optional argument is absent", () => {
  it("in a read", async () => {
    const sent = { page: null, pageSize: null, type: null, state: null, calledReason: null };
    const { structured, isError } = await call("listAccounts", sent);
    expect(isError).toBe(false);
    expect(Object(structured.data).items.length).toBeGreaterThan(0);
  });

  it("in a write, for its fingerprint too", async () => {
    const { operating: sourceAccountId, taxes: destinationAccountId } = world.own.ids;
    const move = { sourceAccountId, destinationAccountId, amountInCents: 12_300, simulation: true };
    const { text: keyText } = await world.own.addKey(ALL_PERMISSIONS);
    const nulls = { description: null, reasonForApproval: null, idempotencyKey: null, calledReason: null };
    expect((await mcp.callTool(keyText, "createTransfer", { ...move, ...nulls })).isError).toBe(false);
    const idempotencyKey = "null-and-absent";
    const first = await mcp.callTool(keyText, "createTransfer", { ...move, ...nulls, idempotencyKey });
    const again = await mcp.callTool(keyText, "createTransfer", { ...move, idempotencyKey });
    expect(again.structured.data).toEqual(first.structured.data);
  });

  it("in a body over HTTP, deep inside it, and in the arguments as a whole", async () => {
    const { operating: accountId, taxes } = world.own.ids;
    const action = { type: "FIXED", sourceAccountId: accountId, destinationAccountId: taxes, group: 0 };
    const rule = {
      name: "Null inside",
      description: null,
      limits: null,
      trigger: { type: "MANUAL", accountId },
      steps: [
        { conditions: null, actions: [{ ...action, amountInCents: 100, upTo: null, description: null }] },
      ],
    };
    const key = await world.own.addKey(ALL_PERMISSIONS);
    expect((await world.call(key.text, "POST", "/rules", { body: rule })).status).toBe(201);
    const whole = await mcp.ask(key.text, "tools/call", { name: "listAccounts", arguments: null });
    expect(whole.rpc.result).toMatchObject({ structuredContent: { data: expect.anything() } });
    const earlier = await mcp.ask(key.text, "tools/list", { cursor: null }, "2025-11-25");
    expect(earlier.rpc.result).toMatchObject({ tools: expect.anything() });
    const guided = await mcp.callTool(key.text, "contactSupport", { requestId: null });
    expect(guided.isError).toBe(false);
  });

  it("and for a required one it is missing, in our words", async () => {
    const { structured } = await call("createTransfer", { sourceAccountId: null, amountInCents: null });
    expect(detailsOf(structured)).toEqual([
      { field: "sourceAccountId", message: expect.stringContaining("is required") },
      { field: "destinationAccountId", message: expect.stringContaining("is required") },
      { field: "amountInCents", message: expect.stringContaining("is required") },
    ]);
    expect(detailsOf((await call("getTransfer", { id: null })).structured)).toEqual([
      { field: "id", message: expect.stringContaining("is required") },
    ]);
  });

  it("an empty idempotency key or reason counts as absent too", async () => {
    const { operating: sourceAccountId, taxes: destinationAccountId } = world.own.ids;
    const move = { sourceAccountId, destinationAccountId, amountInCents: 12_300, simulation: true };
    const { isError } = await call("createTransfer", { ...move, idempotencyKey: "", calledReason: "" });
    expect(isError).toBe(false);
  });
});

describe("calls as programs sent them, word for word", () => {
  const sentAs = (file: string) => {
    const text = readFileSync(
      new URL(`../../testing/fixtures/program-calls/${file}`, import.meta.url),
      "utf8",
    );
    const { operating, taxes } = world.own.ids;
    return text.replaceAll("<OPERATING>", operating).replaceAll("<TAXES>", taxes);
  };
  const overMcp = async (file: string) => {
    const { text } = await mcp.post(await world.keys.next(), sentAs(file));
    return Object(JSON.parse(text)).result;
  };

  it("strict function schemas, with null in every optional argument", async () => {
    const list = await overMcp("mcp-null-optional.json");
    expect(list.isError ?? false).toBe(false);
    expect(list.structuredContent.data.pagination).toMatchObject({ page: 1, pageSize: 10 });
    const move = await overMcp("mcp-null-optional-transfer.json");
    expect(move.isError ?? false).toBe(false);
    expect(move.structuredContent.data).toMatchObject({ status: "COMPLETE", amountInCents: 12_300 });
  });

  it("a list as JSON text, which is named as that", async () => {
    const { isError, structuredContent } = await overMcp("mcp-stringified-list.json");
    expect(isError).toBe(true);
    expect(detailsOf(structuredContent)).toEqual([
      { field: "accountId", message: "must be a list: give JSON, not a string" },
    ]);
  });

  it("a rule with the names of days, without conditions, over HTTP and MCP", async () => {
    const body = JSON.parse(sentAs("rule-cron-names.json"));
    const written = await world.call(await world.keys.next(), "POST", "/rules", { body });
    expect(written.status).toBe(201);
    const { cron } = Object(written.body).data.trigger.schedule;
    expect(cron).toBe("0 9 * * MON-FRI");
    expect((await call("createRule", body)).isError).toBe(false);
  });
});

describe("arguments as a whole", () => {
  const ask = async (name: string, sent: unknown) =>
    mcp.ask(await world.keys.next(), "tools/call", { name, arguments: sent });
  const AS_TEXT = { field: "arguments", message: "must be an object: give JSON, not a string" };

  it.each([
    ["JSON text", JSON.stringify({ page: 1 }), AS_TEXT.message],
    ["an empty text", "", AS_TEXT.message],
    ["a list", [{ page: 1 }], "must be an object"],
    ["a number", 7, "must be an object"],
  ])(
    "that are %s are refused like any wrong field, by an operation and by a guide",
    async (_, sent, message) => {
      for (const name of ["listAccounts", "createTransfer", "contactSupport"]) {
        const { rpc } = await ask(name, sent);
        const result = Object(rpc.result);
        expect(result.isError).toBe(true);
        expect(detailsOf(result.structuredContent)).toEqual([{ field: "arguments", message }]);
        expect(result.content[0].text).toContain(`- «arguments» ${message}`);
      }
    },
  );

  it.each<[string, Record<string, unknown>, string]>([
    ["tools/call", {}, "name must be a text"],
    ["tools/call", { name: ["listAccounts"] }, "name must be a text"],
    [
      "prompts/get",
      { name: "propose-transfer", arguments: "{}" },
      "arguments must be an object whose values",
    ],
    [
      "prompts/get",
      { name: "propose-transfer", arguments: { a: 1 } },
      "arguments must be an object whose values",
    ],
    ["resources/read", { uri: 7 }, "uri must be a text"],
    ["tools/list", { cursor: "2" }, "cursor must be left out"],
  ])("and other params of %s, %j, in our words", async (method, params, words) => {
    for (const era of ["2025-11-25", "2026-07-28"] as const) {
      const { rpc } = await mcp.ask(await world.keys.next(), method, params, era);
      expect(rpc).toMatchObject({ id: expect.anything(), error: { code: -32_602 } });
      expect(rpc.error?.message).toContain(words);
      expect(rpc.error?.message).not.toContain("Invalid");
    }
  });
});

describe("lists", () => {
  it("written as JSON text are named as that, as objects are", async () => {
    const { operating } = world.own.ids;
    const list = await call("listTransfers", { accountId: JSON.stringify([operating]) });
    expect(detailsOf(list.structured)).toEqual([
      { field: "accountId", message: "must be a list: give JSON, not a string" },
    ]);
    const query = encodeURIComponent(JSON.stringify([operating]));
    const http = await world.call(await world.keys.next(), "GET", `/transfers?accountId=${query}`);
    expect(Object(http.body).error.details).toEqual([
      { field: "accountId", message: "must be repeated or separated with commas, not JSON" },
    ]);
    const steps = await call("createRule", { name: "Steps", trigger: "{}", steps: "[]" });
    expect(detailsOf(steps.structured)).toEqual(
      expect.arrayContaining([
        { field: "steps", message: "must be a list: give JSON, not a string" },
        { field: "trigger", message: expect.stringContaining("give JSON, not a string") },
      ]),
    );
  });

  it("take one value, several, and several in one text, the same over MCP and HTTP", async () => {
    const { operating, taxes } = world.own.ids;
    const key = await world.own.addKey(ALL_PERMISSIONS);
    const ids = async (accountId: unknown) => {
      const { structured } = await mcp.callTool(key.text, "listTransfers", { accountId });
      return Object(structured.data).items.map(({ id }: { id: string }) => id);
    };
    const both = await ids([operating, taxes]);
    expect(await ids(`${operating},${taxes}`)).toEqual(both);
    const http = await world.call(key.text, "GET", `/transfers?accountId=${operating},${taxes}`);
    expect(Object(http.body).data.items.map(({ id }: { id: string }) => id)).toEqual(both);
  });

  it("of statuses narrow to any of them", async () => {
    const { operating } = world.own.ids;
    const key = await world.own.addKey(ALL_PERMISSIONS);
    const statusesOf = async (query: string) => {
      const { body } = await world.call(
        key.text,
        "GET",
        `/transfers?accountId=${operating}&pageSize=100${query}`,
      );
      return new Set(Object(body).data.items.map(({ status }: { status: string }) => status));
    };
    const all = [...(await statusesOf(""))].sort();
    expect(all.length).toBeGreaterThan(1);
    for (const status of all) expect(await statusesOf(`&status=${status}`)).toEqual(new Set([status]));
    expect([...(await statusesOf(`&status=${all[0]}&status=${all[1]}`))].sort()).toEqual(all.slice(0, 2));
    expect([...(await statusesOf(`&status=${all.join(",")}`))].sort()).toEqual(all);
    for (const [tool, sent] of Object.entries({
      listRules: { status: ["ACTIVE", "INACTIVE"] },
      listRuleExecutions: { ruleId: world.own.ids.rule, status: ["EXECUTED", "FAILED"] },
      listExternalTransactions: { status: ["PENDING", "COMPLETE"] },
    })) {
      expect([tool, (await mcp.callTool(key.text, tool, sent)).isError]).toEqual([tool, false]);
    }
    const wrong = await world.call(key.text, "GET", `/transfers?accountId=${operating}&status=COMPLETE,DONE`);
    expect(wrong.status).toBe(400);
  });
});

it("a number of another type or size is refused by what it must be", async () => {
  const list = await call("listAccounts", { page: {}, pageSize: [] });
  expect(detailsOf(list.structured)).toEqual([
    { field: "page", message: "must be a whole number from 1 to 1000000" },
    { field: "pageSize", message: "must be a whole number from 1 to 100" },
  ]);
  for (const [amountInCents, message] of [
    [2 ** 53, expect.stringContaining("must be at most ")],
    [-(2 ** 53), expect.stringContaining("must be at least ")],
    [1.5, "must be a whole number of cents"],
  ]) {
    const { structured } = await call("createTransfer", { amountInCents });
    expect(detailsOf(structured)).toContainEqual({ field: "amountInCents", message });
  }
});

it("all problems of a call come in one answer, those of its key and reason too", async () => {
  const sent = { amountInCents: 5, idempotencyKey: "not allowed", calledReason: "x".repeat(501), extra: 1 };
  const fields = [
    "idempotencyKey",
    "calledReason",
    "sourceAccountId",
    "destinationAccountId",
    "amountInCents",
  ];
  const overMcp = detailsOf((await call("createTransfer", sent)).structured);
  expect(overMcp.map(({ field }) => field)).toEqual([...fields, "extra"]);
  expect(overMcp.map(({ message }) => message).join()).not.toMatch(/Invalid input|Too big|expected/);
  const { operating } = world.own.ids;
  const toItself = { sourceAccountId: operating, destinationAccountId: operating };
  const fraction = detailsOf((await call("createTransfer", { ...toItself, amountInCents: 12.5 })).structured);
  expect(fraction.map(({ field }) => field)).toEqual(["amountInCents", "destinationAccountId"]);
  const notText = detailsOf((await call("listAccounts", { calledReason: 5 })).structured);
  expect(notText).toEqual([{ field: "calledReason", message: "must be a text" }]);
  const overHttp = await world.call(await world.keys.next(), "POST", "/transfers", {
    body: { amountInCents: 5, extra: 1 },
    headers: { "Idempotency-Key": "not allowed", "X-Called-Reason": "x".repeat(501) },
  });
  const named = Object(overHttp.body).error.details.map(({ field }: { field: string }) => field);
  expect(named).toEqual(["idempotency-key", "x-called-reason", ...fields.slice(2), "extra"]);
  const misplaced = await world.call(await world.keys.next(), "POST", "/transfers?simulation=true&page=1", {
    body: { amountInCents: 5 },
  });
  const twice = await world.call(await world.keys.next(), "GET", "/transfers?page=1&page=2&pageSize=900");
  const fieldsOf = ({ body }: { body: unknown }) =>
    Object(body).error.details.map(({ field }: { field: string }) => field);
  expect(fieldsOf(misplaced)).toEqual(["simulation", "page", ...fields.slice(2)]);
  expect(fieldsOf(twice)).toEqual(["page", "pageSize", "accountId"]);
});

describe("plain dates", () => {
  it("begin and end in the organization's zone", async () => {
    await database.ownerPool.query("update organizations set time_zone = 'Asia/Tokyo' where id = $1", [
      world.own.organizationId,
    ]);
    const key = await world.own.addKey(ALL_PERMISSIONS);
    const today = world.services.clock.now().toISOString().slice(0, 10);
    const window = async (query: string) => {
      const { body } = await world.call(key.text, "GET", `/external-transactions?${query}`);
      const { from, to } = Object(body).data.window;
      return { from, to };
    };
    const inTokyo = (date: string, days = 0) =>
      new Date(Date.parse(`${date}T00:00:00+09:00`) + days * 86_400_000).toISOString();
    expect(await window(`from=${today}&to=${today}`)).toEqual({
      from: inTokyo(today),
      to: new Date(Date.parse(inTokyo(today, 1)) - 1).toISOString(),
    });
    const tool = await mcp.callTool(key.text, "listExternalTransactions", { from: today });
    expect(Object(tool.structured.data).window.from).toBe(inTokyo(today));
  });

  it("at both ends of the calendar, and dates that there are none of", async () => {
    const key = await world.own.addKey(ALL_PERMISSIONS);
    const status = async (query: string) =>
      (await world.call(key.text, "GET", `/audit-logs?${query}`)).status;
    expect(await status("from=1970-01-01&to=9999-12-31")).toBe(200);
    const wrong = await world.call(key.text, "GET", "/audit-logs?from=yesterday");
    expect(Object(wrong.body).error.details).toEqual([
      { field: "from", message: "must be an ISO 8601 date, or a date-time with a zone" },
    ]);
    for (const text of ["2026-02-30", "2026-13-01", "1969-12-31", "2026-1-1", "20261101"])
      expect([text, await status(`from=${text}`)]).toEqual([text, 400]);
    expect(await status("from=2026-11-02&to=2026-11-01")).toBe(400);
  });
});

describe("guidance and refusals", () => {
  it("are in the structured content too, without the items of a list once more", async () => {
    const list = await call("listAccounts", { pageSize: 2 });
    expect(list.structured.guidance).toMatch(/2 accounts on page 1, and there are more/);
    expect(list.structured.guidance).not.toMatch(/^- /m);
    const refused = await call("createTransfer", { amountInCents: 5 });
    expect(refused.structured.guidance).toContain("What to do: Fix the arguments that are named");
    const guided = await call("issueCard", {});
    expect(guided.structured.guidance).toBe(guided.text);
  });

  it("send no caller to a tool that it lacks", async () => {
    const { operating: sourceAccountId, taxes: destinationAccountId, rule } = world.own.ids;
    const only = async (...types: string[]) =>
      (await world.own.addKey(ALL_WITHOUT_APPROVAL.filter(({ type }) => types.includes(type)))).text;
    const move = { sourceAccountId, destinationAccountId, amountInCents: 100 };
    const started: [string, string, Record<string, unknown>, string][] = [
      ["createTransfer", "MANUAL_TRANSFER", move, "getTransfer"],
      ["triggerRule", "TRIGGER_RULES", { id: rule, simulation: true }, "getRuleExecution"],
    ];
    for (const [tool, permission, sent, follow] of started) {
      const key = await only(permission);
      const listed = (await mcp.listTools(key)).map(({ name }) => name);
      const lackedIn = (text: string) =>
        (text.match(/\b(?:get|list|create|update|trigger)[A-Z]\w+/g) ?? []).filter(
          (name) => !listed.includes(name),
        );
      const { text, isError, structured } = await mcp.callTool(key, tool, sent);
      expect([tool, isError]).toEqual([tool, false]);
      expect(text).toContain(`Next: call ${follow} with`);
      expect([tool, lackedIn(text)]).toEqual([tool, []]);
      const { id, ruleId, executionId } = Object(structured.data);
      const followed = await mcp.callTool(key, follow, executionId ? { ruleId, id: executionId } : { id });
      expect([follow, followed.isError]).toEqual([follow, false]);
      expect([follow, lackedIn(followed.text)]).toEqual([follow, []]);
    }
  });
});
