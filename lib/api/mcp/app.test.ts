import { beforeEach, describe, expect, it } from "vitest";
import { toolOperations } from "@/lib/api/operations/table";
import { createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { connectAssistantWithToken } from "@/lib/testing/assistants";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp, type TestMcp } from "@/lib/testing/mcp";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();
let services: ReturnType<typeof createTestServices>["services"];
let clock: ReturnType<typeof createTestServices>["clock"];
let organization: Awaited<ReturnType<typeof createTestOrganization>>;
let mcp: TestMcp;
beforeEach(async () => {
  ({ services, clock } = createTestServices(database));
  organization = await createTestOrganization(database, services);
  mcp = createTestMcp(services);
});

const addKey = async () => (await organization.addKey([...readEverything, moveAnything(true)])).text;

async function assistantOf(role: "OWNER" | "CO_OWNER" | "ACCOUNTANT" | "VIEWER") {
  const member = role === "OWNER" ? organization.owner : await organization.addMember(role, role);
  const assistant = await connectAssistantWithToken(database, {
    organizationId: organization.organizationId,
    userId: member.actor.id,
    resource: `${services.appUrl}/mcp`,
    now: clock.now(),
  });
  return { ...assistant, member };
}

interface AuditLine {
  apiKeyId: string;
  apiKeyName: string;
  path: string;
  action: string | null;
  reason: string | null;
  outcome: string;
  errorCode: string | null;
}

async function readAudit(): Promise<AuditLine[]> {
  const { rows } = await database.ownerPool.query<AuditLine>(
    `select api_key_id as "apiKeyId", api_key_name as "apiKeyName", path, action, reason, outcome,
        error_code as "errorCode" from audit_entries
       where organization_id = $1 order by id`,
    [organization.organizationId],
  );
  return rows;
}

describe("whoever calls", () => {
  it.each([
    ["another host", { Host: "evil.example.com" }],
    ["another host that begins like ours", { Host: "localhost.evil.example.com" }],
    ["a page of another origin", { Origin: "https://evil.example.com" }],
    ["a page without an origin", { Origin: "null" }],
  ])("by way of %s is turned away before the key is looked at", async (_what, headers) => {
    const key = await organization.addKey(readEverything);
    const answer = await mcp.ask(key.text, "tools/list", {}, "2025-11-25", headers);
    expect(answer.status).toBe(403);
    expect(answer.rpc.error?.message).toMatch(/Host|origins/);
    expect(await readAudit()).toEqual([]);
  });

  it.each([
    ["nothing", null],
    ["a key that is none", "sluice_0000000000000000000000000000000000000000"],
    ["a token that is none", "not-a-token"],
  ])("with %s learns where to connect", async (_what, credential) => {
    const answer = await mcp.ask(credential, "tools/list");
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain(
      `resource_metadata="${services.appUrl}/.well-known/oauth-protected-resource/mcp", scope="mcp offline_access"`,
    );
    expect(answer.headers.get("www-authenticate")?.includes("invalid_token")).toBe(credential !== null);
  });

  it("with GET or DELETE learns that there are no streams and sessions", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await mcp.api.fetch(
        new Request(`${services.appUrl}/mcp`, { method, headers: { Host: "localhost:3000" } }),
      );
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });
});

describe("a message", () => {
  it.each([
    ["that is not JSON", "{", 400, -32_700],
    ["that is a text", '"tools/list"', 400, -32_600],
    [
      "that is several, to count as one",
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]',
      400,
      -32_600,
    ],
    ["that greets by half", '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', 400, -32_602],
    ["that is too large", JSON.stringify({ filler: "x".repeat(2_000_000) }), 413, -32_000],
  ])("%s is a protocol error, and is in the audit log", async (_what, body, status, code) => {
    const answer = await mcp.post(await addKey(), body);
    expect([answer.status, answer.rpc.error?.code]).toEqual([status, code]);
    // What is left of a body that was not read would swallow the next request on its connection.
    expect(answer.headers.get("connection")).toBe(status === 413 ? "close" : null);
    const [line, ...others] = await readAudit();
    expect(line?.path).toMatch(/^\/mcp(#initialize)?$/);
    expect([line?.outcome, line?.errorCode === "UNEXPECTED_ERROR", others]).toEqual(["FAILURE", false, []]);
  });

  it.each(["2025-11-25", "2026-07-28"] as const)(
    "of %s asks for a tool that is not there: a protocol error",
    async (era) => {
      const answer = await mcp.ask(await addKey(), "tools/call", { name: "approveTransfer" }, era);
      expect(answer.rpc.error).toMatchObject({
        code: -32_602,
        message: expect.stringContaining("approveTransfer"),
      });
      expect(answer.rpc.result).toBeUndefined();
      expect(await readAudit()).toMatchObject([{ path: "/mcp#tools/call", errorCode: "INVALID_PARAMETERS" }]);
    },
  );

  it.each(["2025-11-25", "2026-07-28"] as const)(
    "of %s asks for a method that is not there: a protocol error",
    async (era) => {
      const answer = await mcp.ask(await addKey(), "rules/approve", {}, era);
      expect(answer.rpc.error?.code).toBe(-32_601);
    },
  );

  it("of 2026-07-28 greets as earlier revisions did: a method that is not there", async () => {
    const answer = await mcp.ask(await addKey(), "initialize");
    expect([answer.status, answer.rpc.error?.code]).toEqual([404, -32_601]);
  });

  it("begins a conversation in the revisions before 2026-07-28, and nothing is kept of it", async () => {
    const key = await addKey();
    const answer = await mcp.ask(
      key,
      "initialize",
      { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "vitest", version: "1" } },
      "2025-11-25",
    );
    expect(answer.rpc.result).toMatchObject({
      protocolVersion: "2025-06-18",
      serverInfo: { name: "sluice" },
    });
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    // Another process would answer the next message just as well.
    expect((await createTestMcp(services).listTools(key, "2025-11-25")).length).toBeGreaterThan(5);
  });
});

describe("a tool's refusal", () => {
  it.each([
    ["of arguments that are wrong", "getAccount", { id: "operating" }, "ACCOUNT_NOT_FOUND"],
    ["of arguments that are missing", "getAccount", {}, "INVALID_PARAMETERS"],
    ["of arguments that it does not know", "listAccounts", { color: "red" }, "INVALID_PARAMETERS"],
    ["of a permission that the key lacks", "listAuditLog", {}, "ACCESS_DENIED"],
    ["of a reason that is none", "listAccounts", { calledReason: "x".repeat(501) }, "INVALID_PARAMETERS"],
    ["of an idempotency key that is none", "createTransfer", { idempotencyKey: "a b" }, "INVALID_PARAMETERS"],
  ])("%s is a result that says what to do", async (_what, name, sent, code) => {
    const { isError, text, structured } = await mcp.callTool(await addKey(), name, sent);
    expect(isError).toBe(true);
    expect(structured).toMatchObject({ error: { code }, requestId: expect.any(String) });
    expect(text).toContain(String(structured.requestId));
    expect(text.length).toBeGreaterThan(60);
    expect(await readAudit()).toMatchObject([{ path: `/mcp#${name}`, outcome: "FAILURE", errorCode: code }]);
  });

  it("of the hundred and first request in a minute reaches the agent; other messages get 429", async () => {
    clock.set(new Date("2026-01-15T17:01:20.500Z"));
    const key = await addKey();
    const api = createTestApi(services);
    // Half over HTTP: both transports share one count.
    for (let sent = 0; sent < 50; sent++) await api(key, "GET", "/accounts?page=0");
    for (let sent = 0; sent < 50; sent++) await mcp.ask(key, "tools/list");
    const refused = await mcp.callTool(key, "listAccounts", {});
    expect(refused.isError).toBe(true);
    expect(refused.structured).toMatchObject({ error: { code: "RATE_LIMIT_EXCEEDED" } });
    expect(refused.text).toContain("40 seconds");
    const other = await mcp.ask(key, "tools/list");
    expect([other.status, other.headers.get("retry-after")]).toEqual([429, "40"]);
    expect((await readAudit()).at(-1)).toMatchObject({
      path: "/mcp#tools/list",
      errorCode: "RATE_LIMIT_EXCEEDED",
    });
  });
});

describe("an assistant", () => {
  it.each(["OWNER", "CO_OWNER"] as const)(
    "of a member who is %s asks, and nothing moves without an approval",
    async (role) => {
      const { accessToken, id } = await assistantOf(role);
      const source = await organization.addAccount({
        name: "Operating",
        type: "POD",
        balanceInCents: 90_000,
      });
      const target = await organization.addAccount({ name: "Taxes", type: "POD" });
      const sent = {
        sourceAccountId: source,
        destinationAccountId: target,
        amountInCents: 5_000,
        calledReason: "Tax",
      };
      const { structured, isError, text } = await mcp.callTool(accessToken, "createTransfer", sent);
      expect(isError).toBe(false);
      expect(structured.data).toMatchObject({ status: "APPROVAL_PENDING" });
      expect(text).toContain(String(Object(structured.data).approvalUrl));
      expect(await readAudit()).toMatchObject([
        {
          apiKeyId: id,
          apiKeyName: "Claude",
          path: "/mcp#createTransfer",
          action: "CREATE_TRANSFER",
          reason: "Tax",
        },
      ]);
    },
  );

  it.each(["ACCOUNTANT", "VIEWER"] as const)(
    "of a member who is %s reads everything, and only reads",
    async (role) => {
      const { accessToken } = await assistantOf(role);
      const names = (await mcp.listTools(accessToken)).map(({ name }) => name);
      const reading = toolOperations
        .filter(({ method, isForKeys }) => method === "GET" && !isForKeys)
        .map(({ operationId }) => operationId);
      const writing = toolOperations
        .filter(({ method }) => method !== "GET")
        .map(({ operationId }) => operationId);
      expect(names).toEqual(expect.arrayContaining(reading));
      expect(names.filter((name) => writing.includes(name))).toEqual([]);
      for (const name of writing) {
        const { isError, structured } = await mcp.callTool(accessToken, name, {
          ...(name === "createAccount" && { type: "POD", name: "Theirs" }),
        });
        expect([name, isError]).toEqual([name, true]);
        expect(structured.data).toBeUndefined();
      }
      const refused = await mcp.callTool(accessToken, "createAccount", { type: "POD", name: "Theirs" });
      expect(refused.structured).toMatchObject({ error: { code: "ACCESS_DENIED" } });
      expect(refused.text).toContain("owner");
    },
  );

  it("loses with its member's role what the role allowed, from the next call on", async () => {
    const { accessToken, member } = await assistantOf("CO_OWNER");
    const create = () => mcp.callTool(accessToken, "createAccount", { type: "POD", name: "One more" });
    expect((await create()).isError).toBe(false);
    await database.ownerPool.query("update memberships set role = 'VIEWER' where user_id = $1", [
      member.actor.id,
    ]);
    expect((await create()).structured).toMatchObject({ error: { code: "ACCESS_DENIED" } });
    await database.ownerPool.query("delete from memberships where user_id = $1", [member.actor.id]);
    expect((await mcp.ask(accessToken, "tools/list")).status).toBe(401);
  });

  it("is unknown with a token that is over, made for another address, or of a connection that was ended", async () => {
    const statusAfter = async (change: string) => {
      const { accessToken, id } = await assistantOf("OWNER");
      await database.ownerPool.query(change, [id]);
      return (await mcp.ask(accessToken, "tools/list")).status;
    };
    const records = "update oauth_records set";
    expect(await statusAfter(`${records} audience = audience where grant_id = $1`)).toBe(200);
    expect(await statusAfter(`${records} audience = 'https://else.example/mcp' where grant_id = $1`)).toBe(
      401,
    );
    expect(await statusAfter(`${records} expires_at = created_at where grant_id = $1`)).toBe(401);
    expect(await statusAfter("update api_keys set revoked_at = created_at where id = $1")).toBe(401);
  });

  it("has its own hundred requests a minute", async () => {
    clock.set(new Date("2026-01-15T17:01:20.500Z"));
    const { accessToken } = await assistantOf("OWNER");
    for (let sent = 0; sent < 100; sent++) await mcp.ask(accessToken, "prompts/list");
    const answer = await mcp.ask(accessToken, "prompts/list");
    expect([answer.status, answer.headers.get("ratelimit-policy")]).toEqual([
      429,
      '"per-assistant";q=100;w=60',
    ]);
  });
});
