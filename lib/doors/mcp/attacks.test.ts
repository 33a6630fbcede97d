import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAXIMUM_BODY_BYTES, REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import { hashRecordId } from "@/lib/core/assistants/record-id";
import { operations } from "@/lib/doors/operations/table";
import { createTestApi } from "@/lib/testing/api";
import { FOREIGN_IDS } from "@/lib/testing/api-proof/foreign-ids";
import { PERMISSION_MATRIX } from "@/lib/testing/api-proof/permission-matrix";
import { permissionOf } from "@/lib/testing/api-proof/single-permission";
import { CANARY, createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { addAssistant, addToken, type TestAssistant } from "@/lib/testing/assistants";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";
import { createTestMcp, type McpAnswer, outcomeOfTool, type TestMcp } from "@/lib/testing/mcp";

/**
 * What somebody tries at the MCP server with raw requests. Goal: nothing that a client library would never send gets
 * further than what it would send.
 */
let database: TestDatabase;
let world: ProofWorld;
let mcp: TestMcp;
/** Of the owner; a new one for each test, since each has a hundred requests in a minute. */
let assistant: TestAssistant;
beforeAll(async () => {
  database = await createTestDatabase();
  world = await createProofWorld(database);
  mcp = createTestMcp(world.services);
});
beforeEach(async () => {
  assistant = await addAssistant(database, world.services, world.own.owner);
});
afterAll(() => database.close());

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** What the audit log says of a connection, oldest first. */
async function auditOf(id: string) {
  const { rows } = await database.ownerPool.query<{
    api_key_name: string;
    path: string;
    outcome: string;
    error_code: string | null;
  }>("select api_key_name, path, outcome, error_code from audit_entries where api_key_id = $1 order by id", [
    id,
  ]);
  return rows;
}

const transferOf = ({ operating, taxes }: ProofWorld["own"]["ids"]) => ({
  sourceAccountId: operating,
  destinationAccountId: taxes,
  amountInCents: 1_000,
});

describe("a sender that is not meant", () => {
  it.each([
    ["a name that somebody pointed to this machine", { Host: "evil.example" }],
    ["that name with our port", { Host: "evil.example:3000" }],
    ["our name within another", { Host: "localhost.evil.example:3000" }],
    ["a page of another origin", { Origin: "https://evil.example" }],
    ["a page that hides its origin", { Origin: "null" }],
    ["an origin that is none", { Origin: "localhost" }],
  ])("is refused before its credential is looked at: %s", async (_, headers) => {
    const { status, headers: answered } = await mcp.send(assistant.accessToken, { message: LIST, headers });
    expect(status).toBe(403);
    expect(answered.get("access-control-allow-origin")).toBeNull();
    expect(await auditOf(assistant.id)).toEqual([]);
  });

  it.each(["GET", "DELETE", "PUT", "OPTIONS"])(
    "opens no stream and ends no session by %s",
    async (method) => {
      const answer = await mcp.send(assistant.accessToken, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    },
  );
});

describe("a credential that does not count", () => {
  const expectUnknown = async (credential: string | null) => {
    const { status, headers } = await mcp.send(credential, { message: LIST });
    expect(status).toBe(401);
    const told = headers.get("www-authenticate");
    expect(told).toContain(
      'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp"',
    );
    expect(told?.includes('error="invalid_token"')).toBe(credential !== null);
  };
  const connection = () => ({ organizationId: world.own.organizationId, id: assistant.id });
  const token = (with_: Parameters<typeof addToken>[3]) =>
    addToken(database.ownerPool, world.services, connection(), with_);

  it("is told where to get one, and nothing else", async () => {
    await expectUnknown(null);
    await expectUnknown("x");
    await expectUnknown(assistant.accessToken.slice(0, -1));
  });

  it("is a token for another address, past its time, or given back", async () => {
    await expectUnknown(await token({ audience: "https://other.example/mcp" }));
    await expectUnknown(await token({ audience: `${world.services.appUrl}/mcp/` }));
    await expectUnknown(await token({ audience: world.services.appUrl }));
    await expectUnknown(await token({ livesMs: 0 }));
    await expectUnknown(await token({ isConsumed: true }));
  });

  it("is a refresh token or a code in the place of an access token", async () => {
    for (const model of ["RefreshToken", "AuthorizationCode", "Grant"]) {
      await expectUnknown(await token({ model }));
    }
  });

  it("is what the database has of a token", async () => {
    const hash = hashRecordId(assistant.accessToken);
    for (const text of [hash.toString("hex"), hash.toString("base64url"), `\\x${hash.toString("hex")}`]) {
      await expectUnknown(text);
    }
  });

  it("is not taken from the address or from a cookie", async () => {
    const cookie = await mcp.send(null, {
      message: LIST,
      headers: { Cookie: `access_token=${assistant.accessToken}` },
    });
    expect(cookie.status).toBe(401);
  });

  it("is the token of an assistant whose member is gone, from the very next call", async () => {
    const member = await world.own.addMember("CO_OWNER", "Leaver");
    const { accessToken } = await addAssistant(database, world.services, member);
    expect((await mcp.send(accessToken, { message: LIST })).status).toBe(200);
    await database.ownerPool.query("delete from memberships where organization_id = $1 and user_id = $2", [
      world.own.organizationId,
      member.actor.id,
    ]);
    await expectUnknown(accessToken);
  });

  it("is the token of a connection that was ended, whatever became of the token's own row", async () => {
    await database.ownerPool.query(
      "update api_keys set revoked_at = created_at, revoked_because = 'CLIENT' where id = $1",
      [assistant.id],
    );
    await expectUnknown(assistant.accessToken);
  });
});

/** Tests of one revision show nothing of the other: each goes its own way through the SDK. */
const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

describe("a message that is none", () => {
  const refusalOf = ({ status, body }: McpAnswer) => [status, Object(body).error?.code];

  it.each([
    ["no JSON", "{", 400, -32_700],
    ["nothing", "", 400, -32_700],
    ["several at once", JSON.stringify([LIST, LIST]), 400, -32_600],
    ["a text", '"tools/list"', 400, -32_600],
    ["null", "null", 400, -32_600],
    ["more than the limit", JSON.stringify({ ...LIST, x: "x".repeat(MAXIMUM_BODY_BYTES) }), 413, -32_000],
  ])("is refused in the protocol's own words: %s", async (_, rawBody, status, code) => {
    expect(refusalOf(await mcp.send(assistant.accessToken, { rawBody }))).toEqual([status, code]);
    expect((await auditOf(assistant.id)).map(({ outcome }) => outcome)).toEqual(["FAILURE"]);
  });

  it.each(REVISIONS)("asks for a method or a tool that is not there, in revision %s", async (revision) => {
    const { ask, callTool } = createTestMcp(world.services, revision);
    const method = await ask(assistant.accessToken, "accounts/empty");
    expect(Object(method.body).error.code).toBe(-32_601);
    for (const name of ["emptyAccounts", "__proto__", "constructor", "createTransfer2"]) {
      expect(outcomeOfTool(await callTool(assistant.accessToken, name))).toBe("ERROR -32602");
    }
  });

  it("says one thing in its headers, by which somebody between may let it through, and another in itself", async () => {
    const { send } = createTestMcp(world.services, "2026-07-28");
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "createTransfer",
        arguments: transferOf(world.own.ids),
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    };
    const told: Record<string, string>[] = [
      { "Mcp-Method": "tools/list" },
      { "Mcp-Method": "tools/call", "Mcp-Name": "listAccounts" },
      { "Mcp-Method": "tools/call" },
      { "Mcp-Method": "tools/call", "Mcp-Name": "createTransfer", "MCP-Protocol-Version": "2025-11-25" },
    ];
    for (const headers of told) {
      const answer = await send(assistant.accessToken, { message: call, headers });
      expect([headers, answer.status, Object(answer.body).result]).toEqual([headers, 400, undefined]);
    }
    const { rows } = await database.pool.query("select 1 from transfers where proposed_by_id = $1", [
      assistant.id,
    ]);
    expect(rows).toEqual([]);
  });

  it("leaves no text of its own in the audit log where a method or a tool belongs", async () => {
    await mcp.ask(assistant.accessToken, "tools/call\n<script>");
    await mcp.callTool(assistant.accessToken, "<script>");
    for (const { path } of await auditOf(assistant.id)) expect(path).not.toContain("script");
  });
});

describe("arguments that are wrong", () => {
  it.each<[string, Record<string, unknown>]>([
    ["missing", {}],
    ["of another type", { sourceAccountId: 1, destinationAccountId: [], amountInCents: "many" }],
    ["no integer", { amountInCents: 100.5 }],
    ["negative", { amountInCents: -1_000 }],
    ["unknown", { approvalRequired: false }],
    ["an approval that is switched off", { approval: { required: false } }],
  ])("are a result that the agent reads: %s", async (_, args) => {
    const sent = Object.keys(args).length === 0 ? {} : { ...transferOf(world.own.ids), ...args };
    const answer = await mcp.callTool(assistant.accessToken, "createTransfer", sent);
    expect([answer.status, outcomeOfTool(answer)]).toEqual([200, "REFUSED INVALID_PARAMETERS"]);
    expect(await auditOf(assistant.id)).toMatchObject([{ outcome: "FAILURE" }]);
  });
});

describe("what an assistant may", () => {
  it("waits for a person, whatever it asks for", async () => {
    const transfer = await mcp.callTool(assistant.accessToken, "createTransfer", transferOf(world.own.ids));
    const run = await mcp.callTool(assistant.accessToken, "triggerRule", { id: world.own.ids.rule });
    for (const { body } of [transfer, run]) {
      expect(Object(body).result.structuredContent.data).toMatchObject({
        status: "APPROVAL_PENDING",
        approvalUrl: expect.stringContaining("/?approvalTransferId="),
      });
    }
  });

  it.each(REVISIONS)(
    "ends with its member's role, on the very next call, in revision %s",
    async (revision) => {
      const { callTool, toolNames } = createTestMcp(world.services, revision);
      const member = await world.own.addMember("CO_OWNER", "Demoted");
      const { accessToken, id } = await addAssistant(database, world.services, member);
      const propose = () => callTool(accessToken, "createTransfer", transferOf(world.own.ids));
      expect(await toolNames(accessToken)).toContain("createTransfer");
      expect(outcomeOfTool(await propose())).toBe("OK");
      await database.ownerPool.query(
        "update memberships set role = 'VIEWER' where organization_id = $1 and user_id = $2",
        [world.own.organizationId, member.actor.id],
      );
      const names = await toolNames(accessToken);
      for (const name of ["createTransfer", "triggerRule", "createAccount", "updateRule"]) {
        expect(names).not.toContain(name);
      }
      expect(names).toContain("listAccounts");
      expect(outcomeOfTool(await propose())).toBe("REFUSED ACCESS_DENIED");
      expect((await auditOf(id)).at(-1)).toMatchObject({ outcome: "FAILURE", error_code: "ACCESS_DENIED" });
    },
  );

  it.each(["ACCOUNTANT", "VIEWER"] as const)(
    "is to read and nothing else for one who is %s",
    async (role) => {
      const { accessToken } = await addAssistant(
        database,
        world.services,
        await world.own.addMember(role, "Reader"),
      );
      for (const { operationId, permission } of operations) {
        const mayRead = permission === null || permission.startsWith("READ_");
        const input = PERMISSION_MATRIX[operationId]?.request(world.own.ids);
        const outcome = outcomeOfTool(await mcp.callTool(accessToken, operationId, input));
        expect([operationId, outcome]).toEqual([operationId, mayRead ? "OK" : "REFUSED ACCESS_DENIED"]);
      }
    },
  );
});

describe("a key of the API", () => {
  it.each([
    "READ_ACCOUNTS",
    "CREATE_ACCOUNTS",
    "READ_RULES",
    "TRIGGER_RULES",
    "CREATE_AND_EDIT_RULES",
    "READ_TRANSFERS",
    "MANUAL_TRANSFER",
    "READ_AUDIT_LOGS",
  ] as const)("may by MCP what it may by HTTP, and is shown that: %s", async (type) => {
    const permission = permissionOf(type, "all", world.own.ids);
    if (!permission) throw new Error("Every permission has a reach of all");
    const key = await world.own.addKey([permission]);
    const names = await mcp.toolNames(key.text);
    for (const { operationId } of operations) {
      const row = PERMISSION_MATRIX[operationId];
      const isOpen = row?.opens === null || row?.opens === type;
      expect([operationId, names.includes(operationId)]).toEqual([operationId, isOpen]);
      if (isOpen) continue;
      const answer = await mcp.callTool(key.text, operationId, row?.request(world.own.ids));
      expect([operationId, outcomeOfTool(answer)]).toEqual([operationId, "REFUSED ACCESS_DENIED"]);
    }
  });

  it("counts its requests by HTTP and by MCP together", async () => {
    const key = await world.own.addKey([{ type: "READ_ACCOUNTS", accounts: "ALL" }]);
    const api = createTestApi(world.services);
    for (let sent = 1; sent < REQUESTS_PER_MINUTE; sent++) await api(key.text, "GET", "/accounts?page=0");
    expect((await mcp.ask(key.text, "tools/list")).status).toBe(429);
  });
});

describe("the hundred and first request of a minute", () => {
  it("is told to wait: a tool's agent in a result, everything else by its status", async () => {
    const ask = (method: string) => mcp.ask(assistant.accessToken, method);
    for (let sent = 0; sent < REQUESTS_PER_MINUTE; sent++) await ask("ping");
    const list = await ask("tools/list");
    expect([list.status, Object(list.body).error.code]).toEqual([429, -32_000]);
    expect(Number(list.headers.get("retry-after"))).toBeGreaterThan(0);
    const call = await mcp.callTool(assistant.accessToken, "listAccounts");
    expect(outcomeOfTool(call)).toBe("REFUSED RATE_LIMIT_EXCEEDED");
    expect(call.text).not.toContain(world.own.ids.operating);
    // Another assistant of the same member is another caller.
    const other = await addAssistant(database, world.services, world.own.owner, "Another");
    expect(outcomeOfTool(await mcp.callTool(other.accessToken, "listAccounts"))).toBe("OK");
  });
});

describe("another organization", () => {
  it.each(operations.map(({ operationId }) => operationId))("is nothing to %s", async (operationId) => {
    const input = PERMISSION_MATRIX[operationId]?.request(world.own.ids) ?? {};
    const own = await mcp.callTool(assistant.accessToken, operationId, input);
    expect(own.text).not.toContain(CANARY);
    for (const [field, [kind, expected]] of Object.entries(FOREIGN_IDS[operationId] ?? {})) {
      const id = world.stranger.ids[kind];
      const value = Array.isArray(input[field]) || isList(operationId, field) ? [id] : id;
      const answer = await mcp.callTool(assistant.accessToken, operationId, { ...input, [field]: value });
      expect(answer.text).not.toContain(CANARY);
      const [, code = ""] = expected.split(" ");
      const isNothing = code === "nothing";
      expect([field, outcomeOfTool(answer)]).toEqual([field, isNothing ? "OK" : `REFUSED ${code}`]);
      if (isNothing) expect(Object(answer.body).result.structuredContent.data.items).toEqual([]);
    }
  });

  it("has its own assistants, of the same member too", async () => {
    // One person in both: what counts is where the connection was made.
    const { owner } = world.own;
    await database.ownerPool.query("insert into memberships values ($1, $2, 'OWNER', $3)", [
      world.stranger.organizationId,
      owner.actor.id,
      owner.now,
    ]);
    const there = await addAssistant(database, world.services, {
      organizationId: world.stranger.organizationId,
      actor: owner.actor,
    });
    const here = await mcp.callTool(assistant.accessToken, "listAccounts");
    expect(here.text).not.toContain(CANARY);
    const abroad = await mcp.callTool(there.accessToken, "listAccounts");
    expect(abroad.text).toContain(CANARY);
    expect(abroad.text).not.toContain(world.own.ids.operating);
  });
});

const isList = (operationId: string, field: string) =>
  operations.find((operation) => operation.operationId === operationId)?.listFields.includes(field) ?? false;

describe("the audit log", () => {
  it("names the connection and its client for every call, and holds no token", async () => {
    const named = await addAssistant(database, world.services, world.own.owner, "Claude for taxes");
    const { accessToken } = named;
    await mcp.ask(accessToken, "tools/list");
    await mcp.callTool(accessToken, "listAccounts");
    await mcp.callTool(accessToken, "createTransfer", {});
    await mcp.callTool(accessToken, "emptyAccounts");
    const entries = await auditOf(named.id);
    expect(entries.map(({ outcome }) => outcome)).toEqual(["SUCCESS", "SUCCESS", "FAILURE", "FAILURE"]);
    expect(new Set(entries.map(({ api_key_name: name }) => name))).toEqual(new Set(["Claude for taxes"]));
    expect(entries.map(({ path }) => path)).toEqual([
      "/mcp#tools/list",
      "/mcp#listAccounts",
      "/mcp#createTransfer",
      "/mcp#tools/call",
    ]);
    const { rows } = await database.ownerPool.query("select 1 from audit_entries e where e::text like $1", [
      `%${accessToken}%`,
    ]);
    expect(rows).toEqual([]);
  });
});
