import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { auditLogEntrySchema } from "@/lib/contract/audit-log";
import { dateWindowSchema } from "@/lib/contract/page";
import { type ApiResponse, createTestApi, moveAnything, readEverything } from "@/lib/testing/api";
import { testEntry, writeEntries } from "@/lib/testing/audit";
import { countQueries, useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const DAY_MS = 86_400_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 500_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(false)]);
  const reader = await organization.addKey([{ type: "READ_AUDIT_LOGS" }], "auditor");
  return { services, clock, organization, operating, taxes, key, reader, call: createTestApi(services) };
}
let world: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  world = await arrange();
});

const transferBody = (fields: Record<string, unknown> = {}) => ({
  sourceAccountId: world.operating,
  destinationAccountId: world.taxes,
  amountInCents: 12_500,
  ...fields,
});
/** Writes entries of the past, the oldest first, and gives their ids. */
async function write(...entries: Parameters<typeof testEntry>[2][]): Promise<string[]> {
  const written = entries.map((fields) =>
    testEntry(world.services, world.organization.organizationId, fields),
  );
  await writeEntries(database.pool, written);
  return written.map(({ id }) => id);
}
async function list(query = "") {
  const response = await world.call(world.reader.text, "GET", `/audit-logs?pageSize=100&${query}`);
  const { data } = response.body as { data: { items: unknown[]; window: unknown; pagination: unknown } };
  return {
    items: data.items.map((item) => auditLogEntrySchema.parse(item)),
    window: dateWindowSchema.parse(data.window),
    pagination: data.pagination,
  };
}
const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);

describe("GET /audit-logs", () => {
  it("lists what every key did, newest first, in the specification's shape", async () => {
    const headers = { "x-called-reason": "Quarterly taxes" };
    const made = await world.call(world.key.text, "POST", "/transfers", { body: transferBody(), headers });
    world.clock.advance(1_000);
    const missed = await world.call(world.key.text, "GET", `/accounts/${randomUUID()}`);
    world.clock.advance(1_000);
    const { items, window, pagination } = await list();
    expect(items).toMatchObject([
      {
        apiKeyId: world.key.id,
        action: "GET_ACCOUNT",
        reason: null,
        requestId: missed.headers.get("x-request-id"),
        outcome: "FAILURE",
        errorCode: "ACCOUNT_NOT_FOUND",
      },
      {
        createdAt: new Date(world.clock.now().getTime() - 2_000).toISOString(),
        apiKeyId: world.key.id,
        apiKeyName: "test-key",
        path: "/platform/v1/transfers",
        action: "CREATE_TRANSFER",
        reason: "Quarterly taxes",
        requestId: made.headers.get("x-request-id"),
        outcome: "SUCCESS",
        errorCode: null,
      },
    ]);
    expect(window).toEqual({
      from: new Date(world.clock.now().getTime() - 90 * DAY_MS).toISOString(),
      to: world.clock.now().toISOString(),
      truncated: false,
    });
    expect(pagination).toEqual({ page: 1, pageSize: 100, hasNextPage: false });
    expect((await list("action=LIST_AUDIT_LOGS")).items).toMatchObject([{ apiKeyName: "auditor" }]);
  });

  it("filters by each field, and by several at once", async () => {
    const apiKeyId = randomUUID();
    const [byKey, byAction, failed, byRequest] = await write(
      { apiKeyId },
      { action: "GET_RULE" },
      { apiKeyId, outcome: "FAILURE", errorCode: "ACCESS_DENIED" },
      { requestId: "7fq2-m81x-k03d" },
    );
    world.clock.advance(1);
    expect(await ids(`apiKeyId=${apiKeyId}`)).toEqual([failed, byKey]);
    expect(await ids(`apiKeyId=${apiKeyId.toUpperCase()}&outcome=SUCCESS`)).toEqual([byKey]);
    expect(await ids("action=GET_RULE")).toEqual([byAction]);
    expect(await ids("outcome=FAILURE")).toEqual([failed]);
    expect(await ids("errorCode=ACCESS_DENIED")).toEqual([failed]);
    expect(await ids("errorCode=RULE_NOT_FOUND")).toEqual([]);
    expect(await ids("requestId=7fq2-m81x-k03d")).toEqual([byRequest]);
    expect(await ids(`apiKeyId=${apiKeyId}&requestId=7fq2-m81x-k03d`)).toEqual([]);
  });

  it("keeps to the millisecond at both ends, inclusive, and to the last 90 days", async () => {
    const start = world.clock.now();
    const written: string[] = [];
    for (const ageMs of [91 * DAY_MS, 90 * DAY_MS, 2_000, 1_001, 1_000, 999]) {
      world.clock.set(new Date(start.getTime() - ageMs));
      written.push(...(await write({})));
    }
    world.clock.set(start);
    const at = (ageMs: number) => new Date(start.getTime() - ageMs).toISOString();
    const [, oldest, first, second, third, last] = written;
    expect(await ids(`from=${at(1_001)}&to=${at(1_000)}`)).toEqual([third, second]);
    expect(await ids(`to=${at(2_000)}`)).toEqual([first, oldest]);
    const clamped = await list(`action=LIST_ACCOUNTS&from=${at(100 * DAY_MS)}`);
    expect(clamped.items.map(({ id }) => id)).toEqual([last, third, second, first, oldest]);
    expect(clamped.window).toEqual({ from: at(90 * DAY_MS), to: at(0), truncated: true });
    world.clock.advance(1);
    expect((await list(`from=${at(100 * DAY_MS)}&to=${at(95 * DAY_MS)}`)).items).toEqual([]);
  });

  it("shows each of many entries of one millisecond once while pages are turned", async () => {
    const written = await write(...Array.from({ length: 25 }, () => ({})));
    const to = world.clock.now().toISOString();
    world.clock.advance(1);
    const pages: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const response = await world.call(
        world.reader.text,
        "GET",
        `/audit-logs?to=${to}&page=${page}&pageSize=8`,
      );
      expect(response.body).toMatchObject({ data: { pagination: { hasNextPage: page < 4 } } });
      pages.push(...(response.body as { data: { items: { id: string }[] } }).data.items.map(({ id }) => id));
    }
    expect(pages).toEqual(written.toReversed());
  });

  it("needs READ_AUDIT_LOGS, and shows nothing of another organization", async () => {
    const refused = await world.call(world.key.text, "GET", "/audit-logs");
    expect([refused.status, refused.body]).toMatchObject([403, { error: { code: "ACCESS_DENIED" } }]);
    const foreign = await arrange();
    const entry = testEntry(foreign.services, foreign.organization.organizationId);
    await writeEntries(database.pool, [entry]);
    world.clock.advance(1);
    expect(await ids(`requestId=${entry.requestId}`)).toEqual([]);
    expect(await ids(`apiKeyId=${entry.apiKeyId}`)).toEqual([]);
  });

  it.each([
    "action=DELETE_ACCOUNT",
    "outcome=MAYBE",
    "errorCode=NO_SUCH_CODE",
    "errorCode=toString",
    "apiKeyId=auditor",
    "requestId=",
    "from=yesterday",
    "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
    "reason=taxes",
  ])("refuses %s, and names the field", async (query) => {
    const response = await world.call(world.reader.text, "GET", `/audit-logs?${query}`);
    expect([response.status, response.body]).toMatchObject([
      400,
      { error: { code: "INVALID_PARAMETERS", details: [{ field: query.split("=")[0] }] } },
    ]);
  });
});

/** The entries of one request, read on a connection of its own right after the response. */
async function entriesOf(response: ApiResponse) {
  const { rows } = await database.ownerPool.query(
    `select outcome, error_code as "errorCode" from audit_entries where organization_id = $1 and request_id = $2`,
    [world.organization.organizationId, response.headers.get("x-request-id")],
  );
  return rows;
}

describe("every request that got past 401 has exactly one entry once its response is there", () => {
  const post = (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    world.call(world.key.text, "POST", "/transfers", { body: transferBody(fields), headers });
  const idempotent = { "idempotency-key": "invoice-318" };

  const requests: [number, string | null, string, () => Promise<ApiResponse>][] = [
    [200, null, "a read", () => world.call(world.key.text, "GET", "/accounts")],
    [200, null, "a simulation", () => post({ simulation: true })],
    [202, null, "a transfer", () => post()],
    [202, null, "a replay", () => post({}, idempotent).then(() => post({}, idempotent))],
    [400, "INVALID_PARAMETERS", "a wrong amount", () => post({ amountInCents: 1 })],
    [400, "INVALID_PARAMETERS", "a wrong header", () => post({}, { "idempotency-key": "" })],
    [
      400,
      "INVALID_PARAMETERS",
      "no JSON",
      () => world.call(world.key.text, "POST", "/transfers", { rawBody: "{" }),
    ],
    [400, "TRANSFER_SOURCE_NOT_FOUND", "no such party", () => post({ sourceAccountId: randomUUID() })],
    [403, "ACCESS_DENIED", "no permission", () => world.call(world.key.text, "GET", "/audit-logs")],
    [
      404,
      "ACCOUNT_NOT_FOUND",
      "no such account",
      () => world.call(world.key.text, "GET", `/accounts/${randomUUID()}`),
    ],
    [
      404,
      "TRANSFER_NOT_FOUND",
      "an id that is none",
      () => world.call(world.key.text, "GET", "/transfers/x"),
    ],
    [409, "TRANSFER_IN_PROGRESS", "a rival in flight", postWhileInFlight],
    [413, "PAYLOAD_TOO_LARGE", "a body too large", () => post({ reasonForApproval: "x".repeat(70_000) })],
    [429, "RATE_LIMIT_EXCEEDED", "too many requests", requestTooMany],
    [500, "UNEXPECTED_ERROR", "an internal error", readWithoutPrivilege],
  ];
  it.each(requests)("%i %s: %s", async (status, errorCode, _what, request) => {
    const response = await request();
    expect(response.status).toBe(status);
    const outcome = errorCode === null ? "SUCCESS" : "FAILURE";
    expect(await entriesOf(response)).toEqual([{ outcome, errorCode: errorCode }]);
  });

  it("says which fields were wrong, with the values sent, in the entry that people read", async () => {
    const detailOf = async (response: ApiResponse) => {
      const { rows } = await database.ownerPool.query<{ errorDetail: string | null }>(
        `select error_detail as "errorDetail" from audit_entries where organization_id = $1 and request_id = $2`,
        [world.organization.organizationId, response.headers.get("x-request-id")],
      );
      return rows[0]?.errorDetail;
    };
    expect(await detailOf(await post())).toBeNull();
    expect(await detailOf(await post({ amountInCents: 5 }))).toBe(
      "amountInCents 5: must be at least 100 cents",
    );
    const hostile = "\u0000\u202e\ud800".padEnd(9_000, "x");
    const detail = await detailOf(await post({ description: hostile, memo: true }));
    expect(detail).toMatch(/^description ".*…": .*; memo true: /);
    for (const unseen of ["\u0000", "\u202e", "\ud800"]) expect(detail).not.toContain(unseen);
    expect(detail?.length).toBeLessThanOrEqual(300);
    expect(await detailOf(await post({ sourceAccountId: randomUUID() }))).toMatch(/account/);
    expect(await detailOf(await readWithoutPrivilege())).toBeNull();
  });

  it("and none before: a read whose entry cannot be written is answered 500, and a transfer did not happen", async () => {
    const { ownerPool } = database;
    await ownerPool.query("alter table audit_entries add constraint full_disk check (false) not valid");
    try {
      const read = await world.call(world.key.text, "GET", "/accounts");
      expect([read.status, await entriesOf(read)]).toEqual([500, []]);
      expect(read.text).not.toContain("Operating");
      expect((await post()).status).toBe(500);
    } finally {
      await ownerPool.query("alter table audit_entries drop constraint full_disk");
    }
    const { rowCount } = await ownerPool.query(
      "select from transfers where organization_id = $1 and origin = 'API'",
      [world.organization.organizationId],
    );
    expect(rowCount).toBe(0);
  });

  it("but nobody has one who got no further than 401", async () => {
    const response = await world.call(null, "GET", "/accounts");
    expect([response.status, await entriesOf(response)]).toEqual([401, []]);
  });

  /** Another connection holds what the original of this key would hold. */
  async function postWhileInFlight(): Promise<ApiResponse> {
    const original = await database.ownerPool.connect();
    try {
      const scope = [world.key.id, "createTransfer", "/transfers", "invoice-318"].join("|");
      await original.query("begin");
      await original.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [scope]);
      return await post({}, idempotent);
    } finally {
      await original.query("rollback");
      original.release();
    }
  }

  async function requestTooMany(): Promise<ApiResponse> {
    await world.call(world.key.text, "GET", "/accounts");
    await database.ownerPool.query("update rate_windows set requests = 100 where api_key_id = $1", [
      world.key.id,
    ]);
    return world.call(world.key.text, "GET", "/accounts");
  }

  async function readWithoutPrivilege(): Promise<ApiResponse> {
    await database.ownerPool.query("alter table accounts rename to accounts_away");
    try {
      return await world.call(world.key.text, "GET", "/accounts");
    } finally {
      await database.ownerPool.query("alter table accounts_away rename to accounts");
    }
  }
});

describe("round trips to the database", () => {
  const AUTHENTICATE = "authenticate_api_keys";
  const AUDIT = "write_audit_entries";

  it.each<[string, (call: ReturnType<typeof createTestApi>) => Promise<ApiResponse>, string[]]>([
    ["a read", (call) => call(world.key.text, "GET", "/accounts"), [AUTHENTICATE, "list_accounts", AUDIT]],
    [
      "a page of the audit log",
      (call) => call(world.reader.text, "GET", "/audit-logs"),
      [AUTHENTICATE, expect.stringMatching(/^with page as/), AUDIT],
    ],
    [
      "a transfer, whose entry rides in its own transaction",
      (call) => call(world.key.text, "POST", "/transfers", { body: transferBody() }),
      [AUTHENTICATE, "find_parties", "create_transfers"],
    ],
    [
      "a refusal",
      (call) => call(world.key.text, "POST", "/transfers", { body: transferBody({ amountInCents: 1 }) }),
      [AUTHENTICATE, AUDIT],
    ],
    ["a request without a key", (call) => call(null, "GET", "/accounts"), []],
    ["a request with a key that is none", (call) => call("sluice_nonsense", "GET", "/accounts"), []],
  ])(
    "%s: one to authenticate and count, the operation's own, one for the entry",
    async (_what, request, expected) => {
      const counted = countQueries(database.pool);
      await request(createTestApi({ ...world.services, pool: counted.pool }));
      expect(counted.queries).toEqual(expected);
    },
  );

  it("are one for the entries of all requests that end while the last entries are written", async () => {
    const counted = countQueries(database.pool);
    const call = createTestApi({ ...world.services, pool: counted.pool });
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => call(world.key.text, "GET", "/accounts")),
    );
    for (const response of responses) expect(await entriesOf(response)).toHaveLength(1);
    const statements = counted.queries.filter((name) => name === AUDIT).length;
    expect(statements).toBeLessThan(40);
  });
});
