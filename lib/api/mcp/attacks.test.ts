import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { toolOperations } from "@/lib/api/operations/table";
import { hashRecordId } from "@/lib/core/keys/oauth-records";
import { fixturesOf } from "@/lib/testing/api-proof/operation-fixtures";
import { FOREIGN_IDS } from "@/lib/testing/api-proof/organization-with-everything";
import { PERMISSION_MATRIX } from "@/lib/testing/api-proof/permission-matrix";
import { hostileValue } from "@/lib/testing/api-proof/random-request";
import { CANARY, createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { addTestRecord, connectAssistantWithToken } from "@/lib/testing/assistants";
import { useTestDatabase } from "@/lib/testing/database";
import { samplePdf } from "@/lib/testing/documents";
import { createTestMcp, type Era, type TestMcp } from "@/lib/testing/mcp";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

/**
 * What someone tries at the MCP server that no client library would send, and what an assistant might reach that is not
 * its member's (app.test.ts has the ways refused by design).
 */
const database = useTestDatabase();
let world: ProofWorld;
let mcp: TestMcp;
let resource: string;
/** Of the owner; a new one for each test, since each has a hundred requests in a minute. */
let assistant: Awaited<ReturnType<typeof connectAssistantWithToken>>;
beforeAll(async () => {
  world = await createProofWorld(database);
  mcp = createTestMcp(world.services);
  resource = `${world.services.appUrl}/mcp`;
});
beforeEach(async () => {
  assistant = await connect(world.own.organizationId, world.own.owner.actor.id);
});

const connect = (organizationId: string, userId: string, name?: string) =>
  connectAssistantWithToken(database, { organizationId, userId, resource, now: world.clock.now(), name });

const statusOf = async (credential: string) => (await mcp.ask(credential, "tools/list")).status;

/** What was written under the name of an assistant. */
async function auditOf(id: string) {
  const { rows } = await database.ownerPool.query<{ apiKeyName: string; path: string; entry: string }>(
    `select api_key_name as "apiKeyName", path,
        e::text as entry from audit_entries e where api_key_id = $1 order by id`,
    [id],
  );
  return rows;
}

const transfer = () => ({
  sourceAccountId: world.own.ids.operating,
  destinationAccountId: world.own.ids.taxes,
  amountInCents: 1_000,
});

describe("in the place of an access token", () => {
  const record = (options: Parameters<typeof addTestRecord>[2], address = resource) =>
    addTestRecord(
      database,
      {
        organizationId: world.own.organizationId,
        connectionId: assistant.id,
        resource: address,
        now: world.clock.now(),
      },
      options,
    );

  it.each(["AuthorizationCode", "RefreshToken", "Grant", "Interaction"])(
    "what the authorization server keeps besides counts for nothing: %s",
    async (model) => {
      expect(await statusOf(await record({ model }))).toBe(401);
    },
  );

  it("a token counts only for its exact address, and not once it was used up", async () => {
    expect(await statusOf(await record({}))).toBe(200);
    for (const address of [`${resource}/`, world.services.appUrl, `${resource}#x`, ""]) {
      expect([address, await statusOf(await record({}, address))]).toEqual([address, 401]);
    }
    expect(await statusOf(await record({ isConsumed: true }))).toBe(401);
    expect(await statusOf(await record({ livesMs: 0 }))).toBe(401);
  });

  it("what the database stores of a token is useless to its readers", async () => {
    const hash = hashRecordId(assistant.accessToken);
    for (const text of [hash.toString("hex"), hash.toString("base64url"), `\\x${hash.toString("hex")}`]) {
      expect(await statusOf(text)).toBe(401);
    }
  });

  it("a token in a cookie is not a credential: a browser would send that for a page of someone else", async () => {
    const headers = { Cookie: `access_token=${assistant.accessToken}; token=${assistant.accessToken}` };
    expect((await mcp.ask(null, "tools/list", {}, "2026-07-28", headers)).status).toBe(401);
  });
});

describe("a message", () => {
  it.each<[string, Record<string, string>]>([
    ["another method", { "Mcp-Method": "tools/list" }],
    ["another tool", { "Mcp-Name": "listAccounts" }],
    ["no tool", { "Mcp-Name": "" }],
    ["another revision", { "MCP-Protocol-Version": "2025-11-25" }],
  ])(
    "cannot say one thing in its headers, by which someone between lets it through, and mean another: %s",
    async (_, headers) => {
      const params = { name: "createTransfer", arguments: transfer() };
      const answer = await mcp.ask(assistant.accessToken, "tools/call", params, "2026-07-28", headers);
      expect([answer.status, answer.rpc.result]).toEqual([400, undefined]);
      const { rows } = await database.pool.query("select 1 from transfers where proposed_by_id = $1", [
        assistant.id,
      ]);
      expect(rows).toEqual([]);
    },
  );

  it.each(["__proto__", "constructor", "toString", "createTransfer "])(
    "reaches nothing through the name of what every object has: %s",
    async (name) => {
      const answer = await mcp.ask(
        assistant.accessToken,
        "tools/call",
        { name, arguments: {} },
        "2025-11-25",
      );
      expect(answer.rpc.error?.code).toBe(-32_602);
    },
  );

  it.each(["__proto__", "constructor", "toString"])(
    "finds no method by the name of what every object has: %s",
    async (method) => {
      const answer = await mcp.ask(assistant.accessToken, method, {}, "2025-11-25");
      expect([answer.status, answer.rpc.error?.code]).toEqual([200, -32_601]);
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ["tools/call", {}],
    ["tools/call", { name: 7 }],
    ["prompts/get", {}],
    ["prompts/get", { name: "x", arguments: { amount: 7 } }],
    ["resources/read", { uri: null }],
    ["tools/list", { cursor: 7 }],
  ])(
    "with invalid parameters is its client's mistake, not an internal error: %s %o",
    async (method, params) => {
      for (const era of ["2025-11-25", "2026-07-28"] as const) {
        const { rpc } = await mcp.ask(assistant.accessToken, method, params, era);
        expect([era, rpc.error?.code]).toEqual([era, -32_602]);
      }
      for (const { entry } of await auditOf(assistant.id)) expect(entry).toContain("INVALID_PARAMETERS");
    },
  );

  it.each([["all"], [[]]])(
    "with arguments that are not an object is refused as a result, which its model reads: %o",
    async (sent) => {
      for (const era of ["2025-11-25", "2026-07-28"] as const) {
        const params = { name: "listAccounts", arguments: sent };
        const { rpc } = await mcp.ask(assistant.accessToken, "tools/call", params, era);
        expect(rpc.result).toMatchObject({
          isError: true,
          structuredContent: { error: { code: "INVALID_PARAMETERS", details: [{ field: "arguments" }] } },
        });
      }
      for (const { entry } of await auditOf(assistant.id)) expect(entry).toContain("INVALID_PARAMETERS");
    },
  );

  it("leaves no text of its own in the audit log, where a method or a tool belongs", async () => {
    await mcp.ask(assistant.accessToken, "tools/call\n<script>", {}, "2025-11-25");
    await mcp.ask(assistant.accessToken, "tools/call", { name: "<script>" }, "2025-11-25");
    const entries = await auditOf(assistant.id);
    expect(entries).toHaveLength(2);
    for (const { entry } of entries) expect(entry).not.toContain("script");
  });
});

describe("words that nobody sees", () => {
  const HIDDEN = "\u200b\u3164\u{e0041}\ufe0f";

  it.each<[string, string, Record<string, unknown>]>([
    ["a refused operation", "tools/call", { name: "getAccount", arguments: { id: "x", [`f${HIDDEN}`]: 1 } }],
    ["a refused guided tool", "tools/call", { name: "addUser", arguments: { [`f${HIDDEN}`]: "x" } }],
    ["a tool that there is not", "tools/call", { name: `t${HIDDEN}`, arguments: {} }],
    ["a prompt", "prompts/get", { name: "pay-a-card", arguments: { card: `Visa${HIDDEN}` } }],
    ["a prompt that there is not", "prompts/get", { name: `p${HIDDEN}`, arguments: {} }],
    ["a refused prompt", "prompts/get", { name: "pay-a-card", arguments: { [`f${HIDDEN}`]: "x" } }],
    ["a resource that there is not", "resources/read", { uri: `sluice://x${HIDDEN}` }],
  ])("come back from nowhere as they came: %s", async (_, method, params) => {
    // The later revision repeats names in a header, which holds no such characters.
    const { text } = await mcp.ask(assistant.accessToken, method, params, "2025-11-25");
    expect(text).not.toBe("");
    for (const character of HIDDEN) expect(JSON.stringify(JSON.parse(text))).not.toContain(character);
  });
});

describe("arguments that no field takes", () => {
  /** One key after the other: nothing turns the rate limit off. */
  const keyFor = () => world.keys.next();
  const tool = fc.constantFrom(...toolOperations).chain(({ operationId }) =>
    fc.record({
      operationId: fc.constant(operationId),
      input: fc.constantFrom(...fixturesOf(operationId, world.own).map(({ input }) => input)),
      // HTTP sends these in headers, which cannot hold such texts; here they are arguments.
      name: fc.oneof(
        fc.constantFrom("idempotencyKey", "calledReason", "__proto__", "constructor"),
        fc.constantFrom(
          ...fixturesOf(operationId, world.own).flatMap(({ input }) => Object.keys(input)),
          "x",
        ),
      ),
      value: hostileValue,
      era: fc.constantFrom<Era>("2025-11-25", "2026-07-28"),
    }),
  );

  it("are refused or harmless, and never an internal error", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(tool, async ({ operationId, input, name, value, era }) => {
        const sent = JSON.parse(JSON.stringify({ ...input, [name]: value }));
        const answer = await mcp.ask(
          await keyFor(),
          "tools/call",
          { name: operationId, arguments: sent },
          era,
        );
        expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining("UNEXPECTED_ERROR")]);
        expect(answer.text).not.toContain(CANARY);
      }),
      { numRuns: proofSize(150, 10_000), seed: proofSeed },
    );
  });
});

describe("an approval", () => {
  it.each([
    { approval: { required: false } },
    { approvalRequired: false },
    { status: "PROCESSING" },
    { proposedByKind: "MEMBER" },
    { organizationId: "019a785d-bee8-72d3-8666-eabfddfbe677" },
  ])("is not argued away: %o", async (argued) => {
    const { isError, structured } = await mcp.callTool(assistant.accessToken, "createTransfer", {
      ...transfer(),
      ...argued,
    });
    expect([isError, Object(structured.error).code]).toEqual([true, "INVALID_PARAMETERS"]);
  });

  it("is needed for a run as for a transfer, also by an assistant whose own row was given permissions", async () => {
    const run = await mcp.callTool(assistant.accessToken, "triggerRule", { id: world.own.ids.rule });
    expect(structuredData(run)).toMatchObject({ status: "APPROVAL_PENDING" });
    await expect(
      database.ownerPool.query("update api_keys set permissions = $2 where id = $1", [
        assistant.id,
        JSON.stringify([
          {
            type: "MANUAL_TRANSFER",
            entries: [{ source: "ANY", target: "ANY" }],
            approval: { required: false },
          },
        ]),
      ]),
    ).rejects.toThrow("check constraint");
  });
});

const structuredData = ({ structured }: { structured: Record<string, unknown> }) => Object(structured.data);

/** What the assistant must have requested itself, for tools that take only that. */
const OWN_REQUESTS: Record<string, () => Promise<Record<string, unknown>>> = {
  cancelTransfer: async () => {
    const asked = await mcp.callTool(assistant.accessToken, "createTransfer", transfer());
    return { id: structuredData(asked).id };
  },
  addTransferDocument: async () => {
    const asked = await mcp.callTool(assistant.accessToken, "createTransfer", transfer());
    const contentBase64 = samplePdf("Invoice").toString("base64");
    return { id: structuredData(asked).id, name: "Invoice.pdf", contentBase64 };
  },
  cancelRuleExecution: async () => {
    const started = await mcp.callTool(assistant.accessToken, "triggerRule", { id: world.own.ids.rule });
    return { ruleId: world.own.ids.rule, id: structuredData(started).executionId };
  },
};

describe("another organization", () => {
  // Assistants never drive a sandbox, and have no mandates.
  const callable = toolOperations.filter(
    ({ permission, isForKeys }) => permission !== "CONTROL_SANDBOX" && !isForKeys,
  );
  it.each(callable.map((operation) => [operation.operationId, operation] as const))(
    "is nothing to an assistant that calls %s",
    async (operationId, { listFields }) => {
      const input =
        (await OWN_REQUESTS[operationId]?.()) ?? PERMISSION_MATRIX[operationId]?.request(world.own.ids) ?? {};
      const own = await mcp.callTool(assistant.accessToken, operationId, input);
      expect([own.isError, own.text]).toEqual([false, expect.any(String)]);
      expect(JSON.stringify(own)).not.toContain(CANARY);
      for (const [field, [kind, expected]] of Object.entries(FOREIGN_IDS[operationId] ?? {})) {
        const id = world.stranger.ids[kind];
        const answer = await mcp.callTool(assistant.accessToken, operationId, {
          ...input,
          [field]: listFields.includes(field) ? [id] : id,
        });
        expect(JSON.stringify(answer)).not.toContain(CANARY);
        const code = Object(answer.structured.error).code ?? "nothing";
        expect([field, expected]).toEqual([field, expect.stringContaining(` ${code}`)]);
        if (code === "nothing") expect(structuredData(answer).items).toEqual([]);
      }
    },
  );

  it("has its own assistants, also of a person who is a member of both", async () => {
    const { owner } = world.own;
    const { organizationId } = world.stranger;
    await database.ownerPool.query("insert into memberships values ($1, $2, 'OWNER', $3)", [
      organizationId,
      owner.actor.id,
      owner.now,
    ]);
    const there = await connect(organizationId, owner.actor.id);
    const read = async (accessToken: string, id: string) => {
      const answer = await mcp.callTool(accessToken, "getAccount", { id });
      return Object(answer.structured.error).code ?? structuredData(answer).id;
    };
    const own = world.own.ids.operating;
    const foreign = world.stranger.ids.operating;
    expect(await read(assistant.accessToken, own)).toBe(own);
    expect(await read(assistant.accessToken, foreign)).toBe("ACCOUNT_NOT_FOUND");
    expect(await read(there.accessToken, foreign)).toBe(foreign);
    expect(await read(there.accessToken, own)).toBe("ACCOUNT_NOT_FOUND");
  });
});

describe("the audit log", () => {
  it("names the connection and its client for every call, and holds nothing of the token", async () => {
    const { id, accessToken } = await connect(
      world.own.organizationId,
      world.own.owner.actor.id,
      "Claude for taxes",
    );
    await mcp.ask(accessToken, "tools/list");
    await mcp.callTool(accessToken, "listAccounts", {});
    await mcp.callTool(accessToken, "createTransfer", transfer());
    await mcp.callTool(accessToken, "createTransfer", {});
    const entries = await auditOf(id);
    expect(entries.map(({ path }) => path)).toEqual([
      "/mcp#tools/list",
      "/mcp#listAccounts",
      "/mcp#createTransfer",
      "/mcp#createTransfer",
    ]);
    for (const { apiKeyName: name, entry } of entries) {
      expect(name).toBe("Claude for taxes");
      expect(entry).not.toContain(accessToken);
    }
  });
});
