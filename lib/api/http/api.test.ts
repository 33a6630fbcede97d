import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { accountSchema } from "@/lib/contract/account";
import { transferSchema } from "@/lib/contract/transfer";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 90_000,
  });
  const savings = await organization.addAccount({ name: "Savings", type: "EXTERNAL_ACCOUNT" });
  const key = await organization.addKey([...readEverything, moveAnything(false)]);
  const asking = await organization.addKey([...readEverything, moveAnything(true)], "asking-key");
  return {
    services,
    clock,
    organization,
    operating,
    taxes,
    checking,
    savings,
    key,
    asking,
    call: createTestApi(services),
  };
}
type World = Awaited<ReturnType<typeof arrange>>;
let world: World;
beforeEach(async () => {
  world = await arrange();
});

const transferBody = (fields: Record<string, unknown> = {}) => ({
  sourceAccountId: world.operating,
  destinationAccountId: world.taxes,
  amountInCents: 12_500,
  ...fields,
});
const countTransfers = async () => {
  const { rows } = await database.pool.query(
    "select count(*)::int as count from transfers where organization_id = $1 and origin = 'API'",
    [world.organization.organizationId],
  );
  return rows[0]?.count;
};

describe("whoever calls", () => {
  it.each([
    ["nothing", {}],
    ["another scheme", { Authorization: "Basic abc" }],
    ["a text that is not a key", { Authorization: "Bearer sluice_nonsense" }],
    [
      "a well-formed key that was never made",
      { Authorization: "Bearer sluice_0000000000000000000000000000000000000000" },
    ],
  ])("with %s learns only that a key is needed", async (_what, headers) => {
    const response = await world.call(null, "GET", "/accounts", { headers });
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({ error: { code: "UNAUTHORIZED" } });
    // RFC 9110, section 15.5.2.
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="Sluice"');
  });

  it("may write several spaces before the key, and the scheme in any case (RFC 9110, section 11.4)", async () => {
    for (const scheme of ["Bearer  ", "bearer ", "BEARER    "]) {
      const headers = { Authorization: `${scheme}${world.key.text}` };
      expect((await world.call(null, "GET", "/accounts", { headers })).status).toBe(200);
    }
  });

  it("with a revoked key is unauthorized from that moment on", async () => {
    await database.pool.query(
      "update api_keys set revoked_at = now() where organization_id = $1 and id = $2",
      [world.organization.organizationId, world.key.id],
    );
    expect((await world.call(world.key.text, "GET", "/accounts")).status).toBe(401);
  });

  it.each([
    ["GET", "/nothing"],
    ["DELETE", "/transfers"],
    ["PUT", "/accounts"],
    ["HEAD", "/accounts"],
    ["OPTIONS", "/accounts"],
    ["GET", ""],
  ])(
    "with a path or method that is not listed gets a plain-text 404, key or not: %s %s",
    async (method, path) => {
      const response = await world.call(null, method, path);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
      expect(response.body).toBeNull();
    },
  );

  it("never sees another organization's accounts or transfers", async () => {
    const { services } = createTestServices(database);
    const other = await createTestOrganization(database, services, "Other");
    const otherKey = await other.addKey([...readEverything, moveAnything(false)]);
    const created = await world.call(world.key.text, "POST", "/transfers", { body: transferBody() });
    const { id } = transferSchema.parse((created.body as { data: unknown }).data);
    expect((await world.call(otherKey.text, "GET", `/transfers/${id}`)).status).toBe(404);
    expect((await world.call(otherKey.text, "GET", `/accounts/${world.operating}`)).body).toMatchObject({
      error: { code: "ACCOUNT_NOT_FOUND" },
    });
    expect(
      (await world.call(otherKey.text, "GET", `/transfers?accountId=${world.operating}`)).body,
    ).toMatchObject({
      error: { code: "ACCOUNT_NOT_FOUND" },
    });
    expect(
      (await world.call(otherKey.text, "POST", "/transfers", { body: transferBody() })).body,
    ).toMatchObject({
      error: { code: "TRANSFER_SOURCE_NOT_FOUND" },
    });
  });
});

describe("the rate limit", () => {
  it("refuses the 101st request of a clock minute, says when to come back, and opens again with the next minute", async () => {
    world.clock.set(new Date("2026-01-15T17:01:20.000Z"));
    for (let request = 1; request <= 100; request++) {
      expect((await world.call(world.key.text, "GET", "/accounts?pageSize=1")).status).toBe(200);
    }
    const refused = await world.call(world.key.text, "GET", "/accounts");
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: { code: "RATE_LIMIT_EXCEEDED" } });
    expect(refused.headers.get("retry-after")).toBe("40");
    expect((await world.call(world.asking.text, "GET", "/accounts")).status).toBe(200);
    world.clock.set(new Date("2026-01-15T17:02:00.000Z"));
    expect((await world.call(world.key.text, "GET", "/accounts")).status).toBe(200);
  });
});

describe("GET /accounts", () => {
  it("lists every account of the organization, whatever the key's list says, without balances or numbers", async () => {
    const narrow = await world.organization.addKey([{ type: "READ_ACCOUNTS", accounts: [world.taxes] }]);
    const response = await world.call(narrow.text, "GET", "/accounts");
    expect(response.body).toMatchObject({
      data: {
        items: [{ name: "Operating" }, { name: "Taxes" }, { name: "Checking" }, { name: "Savings" }],
        pagination: { page: 1, pageSize: 10, hasNextPage: false },
      },
      requestId: response.headers.get("x-request-id"),
    });
    expect(response.text).not.toMatch(/balance|4471|0021/i);
  });

  it("pages and filters by type", async () => {
    const first = await world.call(world.key.text, "GET", "/accounts?pageSize=1&type=POD");
    expect(first.body).toMatchObject({
      data: { items: [{ name: "Operating" }], pagination: { hasNextPage: true } },
    });
    const second = await world.call(world.key.text, "GET", "/accounts?pageSize=1&page=2&type=POD");
    expect(second.body).toMatchObject({
      data: { items: [{ name: "Taxes" }], pagination: { hasNextPage: false } },
    });
  });

  it.each([
    "page=0",
    "page=",
    "page=1.5",
    "pageSize=101",
    "pageSize=-1",
    "type=CHECKING",
    "state=OPEN",
    "pages=1",
    "page=1&page=2",
  ])("refuses %s, and names the field", async (query) => {
    const response = await world.call(world.key.text, "GET", `/accounts?${query}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      error: {
        code: "INVALID_PARAMETERS",
        details: [{ field: expect.stringContaining(query.split("=")[0] ?? "") }],
      },
    });
  });

  it("needs READ_ACCOUNTS", async () => {
    const blind = await world.organization.addKey([{ type: "READ_TRANSFERS", accounts: "ALL" }]);
    expect((await world.call(blind.text, "GET", "/accounts")).body).toMatchObject({
      error: { code: "ACCESS_DENIED" },
    });
  });
});

describe("GET /accounts/{id}", () => {
  it("shows balance and masked numbers in the specification's shape", async () => {
    // Held until the bank settles it.
    const body = transferBody({ destinationAccountId: world.checking });
    await world.call(world.key.text, "POST", "/transfers", { body });
    const response = await world.call(world.key.text, "GET", `/accounts/${world.operating}`);
    const account = accountSchema.parse((response.body as { data: unknown }).data);
    expect(account).toMatchObject({
      bankAccountNumber: "••••4471",
      routingNumber: "••••0021",
      beneficiaryName: "Northwind",
      balance: { balanceInCents: 500_000, availableBalanceInCents: 487_500 },
    });
  });

  it("refuses an account outside the key's list with 403, and an id that names nothing with 404", async () => {
    const narrow = await world.organization.addKey([{ type: "READ_ACCOUNTS", accounts: [world.taxes] }]);
    expect((await world.call(narrow.text, "GET", `/accounts/${world.operating}`)).body).toMatchObject({
      error: { code: "ACCESS_DENIED" },
    });
    for (const id of [randomUUID(), "not-a-uuid"]) {
      expect((await world.call(world.key.text, "GET", `/accounts/${id}`)).body).toMatchObject({
        error: { code: "ACCOUNT_NOT_FOUND" },
      });
    }
  });
});

describe("POST /transfers", () => {
  it("accepts a transfer that needs no approval: 202, PROCESSING, complete once booked", async () => {
    const response = await world.call(world.key.text, "POST", "/transfers", {
      body: transferBody({ description: "Q4 TAX" }),
    });
    expect(response.status).toBe(202);
    const created = transferSchema.parse((response.body as { data: unknown }).data);
    expect(created).toMatchObject({
      status: "PROCESSING",
      direction: "INTERNAL",
      origin: "API",
      approvalUrl: null,
    });
    await bookDueTransfers(world.services, 10);
    const read = await world.call(world.key.text, "GET", `/transfers/${created.id}`);
    expect(transferSchema.parse((read.body as { data: unknown }).data)).toMatchObject({
      status: "COMPLETE",
      description: "Q4 TAX",
    });
  });

  it("registers a proposal where the key asks for approval: nothing is held, and the link names it", async () => {
    const response = await world.call(world.asking.text, "POST", "/transfers", {
      body: transferBody({ reasonForApproval: "Q4 estimated tax" }),
    });
    expect(response.status).toBe(202);
    const created = transferSchema.parse((response.body as { data: unknown }).data);
    expect(created).toMatchObject({
      status: "APPROVAL_PENDING",
      reasonForApproval: "Q4 estimated tax",
      approvalUrl: `http://localhost:3000/?approvalTransferId=${created.id}`,
    });
    await bookDueTransfers(world.services, 10);
    const account = await world.call(world.asking.text, "GET", `/accounts/${world.operating}`);
    expect(account.body).toMatchObject({ data: { balance: { availableBalanceInCents: 500_000 } } });
  });

  it("simulates without moving, holding or asking, also with a key that asks", async () => {
    const response = await world.call(world.asking.text, "POST", "/transfers", {
      body: transferBody({ simulation: true }),
    });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      data: { status: "COMPLETE", executionMode: "SIMULATION", approvalUrl: null },
    });
    await bookDueTransfers(world.services, 10);
    const account = await world.call(world.asking.text, "GET", `/accounts/${world.operating}`);
    expect(account.body).toMatchObject({
      data: { balance: { balanceInCents: 500_000, availableBalanceInCents: 500_000 } },
    });
  });

  const wrong: [string, Record<string, unknown>, string][] = [
    ["no source", { sourceAccountId: undefined }, "sourceAccountId"],
    ["a source that is no UUID", { sourceAccountId: "operating" }, "sourceAccountId"],
    ["no destination", { destinationAccountId: undefined }, "destinationAccountId"],
    ["no amount", { amountInCents: undefined }, "amountInCents"],
    ["99 cents", { amountInCents: 99 }, "amountInCents"],
    ["half a cent", { amountInCents: 100.5 }, "amountInCents"],
    ["an amount as text", { amountInCents: "100" }, "amountInCents"],
    ["a negative amount", { amountInCents: -500 }, "amountInCents"],
    ["an amount that no number holds exactly", { amountInCents: 2 ** 53 }, "amountInCents"],
    ["null", { amountInCents: null }, "amountInCents"],
    ["a label of 11 characters", { description: "ELEVENCHARS" }, "description"],
    ["a label with a dash", { description: "Q4-TAX" }, "description"],
    ["an empty label", { description: "" }, "description"],
    ["a simulation that is not a boolean", { simulation: "true" }, "simulation"],
    ["a reason of 1,001 characters", { reasonForApproval: "x".repeat(1_001) }, "reasonForApproval"],
    [
      "a reason that turns its reading direction",
      { reasonForApproval: "pay \u202e$10" },
      "reasonForApproval",
    ],
    ["a reason with a control character", { reasonForApproval: "a\u0000b" }, "reasonForApproval"],
    ["a field that does not exist", { amount: 100 }, "amount"],
  ];
  it.each(wrong)("refuses %s with 400, names the field, and writes nothing", async (_what, fields, field) => {
    const response = await world.call(world.key.text, "POST", "/transfers", { body: transferBody(fields) });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      error: { code: "INVALID_PARAMETERS", message: expect.stringContaining(field), details: [{ field }] },
    });
    expect(await countTransfers()).toBe(0);
  });

  it("tells a missing field from a wrong one, and says it once", async () => {
    const messageOf = async (fields: Record<string, unknown>) => {
      const response = await world.call(world.key.text, "POST", "/transfers", { body: transferBody(fields) });
      return (response.body as { error: { message: string } }).error.message;
    };
    expect(await messageOf({ amountInCents: undefined })).toBe(
      "amountInCents: is required: must be a whole number of cents.",
    );
    expect(await messageOf({ amountInCents: 1.5 })).toBe("amountInCents: must be a whole number of cents.");
    const list = await world.call(world.key.text, "GET", "/transfers");
    expect(list.body).toMatchObject({
      error: { message: "accountId: is required: the UUID of one or more accounts." },
    });
  });

  it("names a problem between two fields beside one of a third", async () => {
    const detailsOf = async (method: string, path: string, body?: unknown) => {
      const { body: answer } = await world.call(world.key.text, method, path, { body });
      const { details } = (answer as { error: { details: { field: string }[] } }).error;
      return details.map(({ field }) => field);
    };
    const ranged = "from=2026-11-30&to=2026-11-01&page=0";
    expect(await detailsOf("GET", `/transfers?${ranged}`)).toEqual(["page", "from", "accountId"]);
    const toItself = transferBody({ amountInCents: "12.50" });
    toItself.destinationAccountId = toItself.sourceAccountId;
    expect(await detailsOf("POST", "/transfers", toItself)).toEqual([
      "amountInCents",
      "destinationAccountId",
    ]);
    // A fraction and a year out of bounds end zod's parsing, unlike a text.
    expect(await detailsOf("POST", "/transfers", { ...toItself, amountInCents: 12.5 })).toEqual([
      "amountInCents",
      "destinationAccountId",
    ]);
    expect(await detailsOf("GET", "/transfers?from=0001-01-01T00:00:00Z&page=0")).toEqual([
      "page",
      "from",
      "accountId",
    ]);
    const unreadable = transferBody({ sourceAccountId: 5, destinationAccountId: 5 });
    expect(await detailsOf("POST", "/transfers", unreadable)).toEqual([
      "sourceAccountId",
      "destinationAccountId",
    ]);
  });

  it("takes its fields from the body alone: what an approver reads is all that was asked", async () => {
    const response = await world.call(world.key.text, "POST", "/transfers?description=HIDDEN", {
      body: transferBody(),
    });
    expect([response.status, response.body]).toMatchObject([
      400,
      { error: { details: [{ field: "description" }] } },
    ]);
    expect(await countTransfers()).toBe(0);
  });

  it.each([
    ["not JSON", "{"],
    ["nothing", ""],
    ["a list", "[]"],
    ["null", "null"],
  ])("refuses a body that is %s", async (_what, rawBody) => {
    const response = await world.call(world.key.text, "POST", "/transfers", { rawBody });
    expect(response.body).toMatchObject({ error: { code: "INVALID_PARAMETERS" } });
  });

  it("refuses a body above 64 KiB with 413", async () => {
    const response = await world.call(world.key.text, "POST", "/transfers", {
      body: transferBody({ reasonForApproval: "x".repeat(70_000) }),
    });
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE" } });
  });

  it("says with 413 that the connection ends, so that no client loses its next request with it", async () => {
    const response = await world.call(world.key.text, "POST", "/transfers", { rawBody: "x".repeat(70_000) });
    expect([response.status, response.headers.get("connection")]).toEqual([413, "close"]);
    const other = await world.call(world.key.text, "POST", "/transfers", { rawBody: "{}" });
    expect([other.status, other.headers.get("connection")]).toEqual([400, null]);
  });

  it("refuses what no transfer can join: the same account twice, two accounts outside", async () => {
    const same = await world.call(world.key.text, "POST", "/transfers", {
      body: transferBody({ destinationAccountId: world.operating }),
    });
    expect(same.body).toMatchObject({
      error: { code: "INVALID_PARAMETERS", details: [{ field: "destinationAccountId" }] },
    });
    const outside = await world.call(world.key.text, "POST", "/transfers", {
      body: transferBody({ sourceAccountId: world.checking, destinationAccountId: world.savings }),
    });
    expect(outside.body).toMatchObject({
      error: { code: "INVALID_PARAMETERS", details: [{ field: "destinationAccountId" }] },
    });
  });

  it("names the party that does not exist", async () => {
    const source = await world.call(world.key.text, "POST", "/transfers", {
      body: transferBody({ sourceAccountId: randomUUID() }),
    });
    expect([source.status, source.body]).toMatchObject([
      400,
      { error: { code: "TRANSFER_SOURCE_NOT_FOUND" } },
    ]);
    const destination = await world.call(world.key.text, "POST", "/transfers", {
      body: transferBody({ destinationAccountId: randomUUID() }),
    });
    expect([destination.status, destination.body]).toMatchObject([
      400,
      { error: { code: "TRANSFER_DESTINATION_NOT_FOUND" } },
    ]);
  });

  it("keeps to the key's routes and their most generous cap", async () => {
    const key = await world.organization.addKey([
      {
        type: "MANUAL_TRANSFER",
        entries: [
          { source: world.operating, target: world.taxes, max_amount: 1_000 },
          { source: world.operating, target: "ANY", max_amount: 5_000 },
        ],
        approval: { required: false },
      },
    ]);
    const call = (fields: Record<string, unknown>) =>
      world.call(key.text, "POST", "/transfers", { body: transferBody(fields) });
    expect((await call({ amountInCents: 5_000 })).status).toBe(202);
    expect((await call({ amountInCents: 5_001 })).body).toMatchObject({
      error: { code: "MAXIMUM_AMOUNT_EXCEEDED" },
    });
    expect(
      (await call({ sourceAccountId: world.taxes, destinationAccountId: world.operating })).body,
    ).toMatchObject({
      error: { code: "ACCESS_DENIED" },
    });
  });

  it("refuses a key without MANUAL_TRANSFER before it looks at accounts", async () => {
    const reader = await world.organization.addKey(readEverything);
    const response = await world.call(reader.text, "POST", "/transfers", {
      body: transferBody({ sourceAccountId: randomUUID() }),
    });
    expect([response.status, response.body]).toMatchObject([403, { error: { code: "ACCESS_DENIED" } }]);
  });
});

describe("idempotency of POST /transfers", () => {
  const post = (key: string, fields: Record<string, unknown> = {}) =>
    world.call(world.key.text, "POST", "/transfers", {
      body: transferBody(fields),
      headers: { "idempotency-key": key },
    });

  it("answers the repetition with the original response, also when its fields come in another order", async () => {
    const first = await post("invoice-318");
    const { amountInCents, ...rest } = transferBody();
    const second = await world.call(world.key.text, "POST", "/transfers", {
      body: { amountInCents, ...rest },
      headers: { "idempotency-key": "invoice-318" },
    });
    expect(second.status).toBe(202);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await countTransfers()).toBe(1);
  });

  it("refuses the same key with another request", async () => {
    await post("invoice-318");
    expect([(await post("invoice-318", { amountInCents: 999 })).status, await countTransfers()]).toEqual([
      400, 1,
    ]);
  });

  it("replays to a key that could no longer make the request: the first answer remains valid", async () => {
    const first = await post("invoice-318");
    await database.pool.query(
      "update accounts set deleted_at = now() where organization_id = $1 and id = $2",
      [world.organization.organizationId, world.taxes],
    );
    expect((await post("invoice-318")).body).toEqual(first.body);
  });

  it("leaves the key free when the request was refused before it began", async () => {
    expect((await post("invoice-318", { amountInCents: 1 })).status).toBe(400);
    expect((await post("invoice-318")).status).toBe(202);
  });

  it("forgets after 24 hours", async () => {
    await post("invoice-318");
    world.clock.advance(24 * 3_600_000 + 1);
    expect((await post("invoice-318")).headers.get("idempotent-replayed")).toBeNull();
    expect(await countTransfers()).toBe(2);
  });

  it.each(["", "x".repeat(37), "ünder", "with space"])("refuses the key %j", async (key) => {
    const response = await post(key);
    expect(response.body).toMatchObject({
      error: { code: "INVALID_PARAMETERS", details: [{ field: "idempotency-key" }] },
    });
  });

  it("makes one transfer of 50 identical requests at once; the rest are its replay or 409", async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => post("invoice-318")));
    expect(await countTransfers()).toBe(1);
    const ids = new Set<string>();
    for (const response of responses) {
      expect([202, 409]).toContain(response.status);
      if (response.status === 202)
        ids.add(transferSchema.parse((response.body as { data: unknown }).data).id);
      else expect(response.body).toMatchObject({ error: { code: "TRANSFER_IN_PROGRESS" } });
    }
    expect(ids.size).toBe(1);
  });
});

describe("GET /transfers", () => {
  it("needs accountId, and keeps to the key's accounts", async () => {
    expect((await world.call(world.key.text, "GET", "/transfers")).body).toMatchObject({
      error: { code: "INVALID_PARAMETERS", details: [{ field: "accountId" }] },
    });
    const narrow = await world.organization.addKey([{ type: "READ_TRANSFERS", accounts: [world.taxes] }]);
    const both = `${world.taxes},${world.operating}`;
    expect((await world.call(narrow.text, "GET", `/transfers?accountId=${both}`)).body).toMatchObject({
      error: { code: "ACCESS_DENIED" },
    });
  });

  it("lists newest first, each once, and filters", async () => {
    for (const amountInCents of [100, 200, 300]) {
      world.clock.advance(1_000);
      await world.call(world.key.text, "POST", "/transfers", { body: transferBody({ amountInCents }) });
    }
    world.clock.advance(1_000);
    await world.call(world.key.text, "POST", "/transfers", {
      body: transferBody({ amountInCents: 400, simulation: true }),
    });
    await bookDueTransfers(world.services, 10);
    const list = async (query: string) => {
      const response = await world.call(world.key.text, "GET", `/transfers?${query}`);
      const { items } = (response.body as { data: { items: unknown[] } }).data;
      return items.map((item) => transferSchema.parse(item).amountInCents);
    };
    const both = `accountId=${world.operating}&accountId=${world.taxes}`;
    expect(await list(`${both}&direction=INTERNAL`)).toEqual([300, 200, 100]);
    expect(await list(`${both}&direction=INTERNAL&pageSize=2&page=2`)).toEqual([100]);
    expect(await list(`accountId=${world.taxes}&executionMode=SIMULATION`)).toEqual([400]);
    expect(await list(`accountId=${world.operating}&status=FAILED`)).toEqual([]);
    expect(await list(`accountId=${world.operating}&direction=MONEY_IN`)).toEqual([500_000]);
    const from = new Date(world.clock.now().getTime() - 2_500).toISOString();
    expect(await list(`${both}&from=${from}`)).toEqual([300, 200]);
  });

  it.each([
    "status=DONE",
    "direction=UP",
    "executionMode=ALL",
    "from=yesterday",
    "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z",
  ])("refuses %s", async (query) => {
    const response = await world.call(world.key.text, "GET", `/transfers?accountId=${world.taxes}&${query}`);
    expect([response.status, response.body]).toMatchObject([400, { error: { code: "INVALID_PARAMETERS" } }]);
  });
});

describe("the audit log", () => {
  const entries = async () => {
    const { rows } = await database.pool.query(
      `select action, path, reason, outcome, error_code as "errorCode", request_id as "requestId",
          api_key_name as "apiKeyName" from audit_entries where organization_id = $1 order by id`,
      [world.organization.organizationId],
    );
    return rows;
  };

  it("holds every request that got past authentication, with the caller's reason, before the response leaves", async () => {
    const headers = { "x-called-reason": Buffer.from("Prüfung").toString("latin1") };
    const read = await world.call(world.key.text, "GET", `/accounts/${world.taxes}`, { headers });
    await world.call(world.key.text, "GET", `/accounts/${randomUUID()}`);
    await world.call(world.key.text, "POST", "/transfers", { body: transferBody() });
    await world.call(world.key.text, "POST", "/transfers", { body: transferBody({ amountInCents: 5 }) });
    await world.call(null, "GET", "/accounts");
    expect(await entries()).toMatchObject([
      {
        action: "GET_ACCOUNT",
        path: `/platform/v1/accounts/${world.taxes}`,
        reason: "Prüfung",
        outcome: "SUCCESS",
        errorCode: null,
        requestId: read.headers.get("x-request-id"),
        apiKeyName: "test-key",
      },
      { action: "GET_ACCOUNT", outcome: "FAILURE", errorCode: "ACCOUNT_NOT_FOUND" },
      { action: "CREATE_TRANSFER", outcome: "SUCCESS" },
      { action: "CREATE_TRANSFER", outcome: "FAILURE", errorCode: "INVALID_PARAMETERS" },
    ]);
  });

  it("refuses a reason that is too long or deceives", async () => {
    for (const reason of ["x".repeat(501), Buffer.from("a\u202eb").toString("latin1")]) {
      const response = await world.call(world.key.text, "GET", "/accounts", {
        headers: { "x-called-reason": reason },
      });
      expect(response.body).toMatchObject({ error: { details: [{ field: "x-called-reason" }] } });
    }
  });
});
