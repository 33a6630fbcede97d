import { beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";
import { DATE_WINDOW_MS } from "@/lib/contract/limits";
import { expectContract } from "@/lib/testing/api-proof/expect-contract";
import { inputSchemaOf } from "@/lib/testing/api-proof/json-schema-node";
import { toWire } from "@/lib/testing/api-proof/operation-fixtures";
import { PERMISSION_MATRIX } from "@/lib/testing/api-proof/permission-matrix";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { useTestDatabase } from "@/lib/testing/database";

/** What is the same for every operation: paths, pages, windows. */
const database = useTestDatabase();
let world: ProofWorld;
beforeAll(async () => {
  world = await createProofWorld(database);
});

const has = (operation: Operation, ...fields: string[]) => {
  const { properties = {} } = inputSchemaOf(operation);
  return fields.every((field) => field in properties);
};
const named = (some: readonly Operation[]) =>
  some.map((operation) => [operation.operationId, operation] as const);
const lists = named(operations.filter((operation) => has(operation, "page")));
const windowed = named(
  operations.filter(
    ({ example }) =>
      Object(example.answer).window !== undefined && Object(example.answer).items !== undefined,
  ),
);

async function read(operation: Operation, fields: Record<string, unknown>) {
  const input = { ...PERMISSION_MATRIX[operation.operationId]?.request(world.own.ids), ...fields };
  const { method, path } = toWire(operation, input);
  // A key lists its own mandates only.
  const keyText = operation.operationId === "getMandates" ? world.own.askingKeyText : await world.keys.next();
  const response = await world.call(keyText, method, path);
  expectContract(operation, response);
  expect(response.status, response.text).toBe(200);
  return Object(response.body).data;
}

/** One id in so many mixtures of upper and lower case. */
function casesOf(id: string, count: number): string[] {
  const letters = [...id.matchAll(/[a-f]/g)].map(({ index }) => index);
  return Array.from({ length: count }, (_, number) =>
    [...id]
      .map((one, at) =>
        (number >> letters.indexOf(at)) & 1 && letters.includes(at) ? one.toUpperCase() : one,
      )
      .join(""),
  );
}

describe("a value that is repeated in a filter", () => {
  it("counts once, however often it is repeated", async () => {
    const { operating } = world.own.ids;
    const query = [
      `/accounts?${"type=POD&".repeat(20)}type=POD,POD`,
      `/payees?${"state=ACTIVE&".repeat(20)}`,
      `/transfers?accountId=${Array.from({ length: 101 }, () => operating).join(",")}`,
      `/transfers?accountId=${casesOf(operating, 101).join(",")}`,
    ];
    for (const path of query) {
      const { status, text } = await world.call(await world.keys.next(), "GET", path);
      expect(status, text).toBe(200);
    }
  });

  it("is refused in our words where there are too many different ones", async () => {
    const ids = Array.from({ length: 101 }, () => crypto.randomUUID()).join(",");
    const { status, body } = await world.call(await world.keys.next(), "GET", `/transfers?accountId=${ids}`);
    expect([status, Object(body).error.message]).toEqual([400, "accountId: must name at most 100 accounts."]);
  });
});

describe("a path or method that is not listed", () => {
  const paths = [
    ...new Set(operations.map(({ path }) => path.replace(/:\w+/g, "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11"))),
  ];
  const listed = (method: string, path: string) =>
    operations.some(
      (operation) =>
        operation.method === method && new RegExp(`^${operation.path.replace(/:\w+/g, "[^/]+")}$`).test(path),
    );

  it.each(paths)("is a plain-text 404, key or not: every other method on %s", async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"]) {
      if (!listed(method, path)) await expectNotListed(method, path);
    }
  });

  it.each(paths)("is a plain-text 404: every other spelling of %s", async (path) => {
    const spellings = [
      `${path}/`,
      `/${path}`,
      path.replace(/\//g, "//"),
      path.toUpperCase(),
      path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
      `${path}%2F`,
      path.replace(/(?<=.)\//g, "%2F"),
      `${path}.json`,
      `${path};v=1`,
      `${path}%00`,
      `${path}%20`,
      `/v1${path}`,
      `${path}/nothing/at/all`,
    ];
    for (const spelling of spellings) {
      if (!operations.some(({ method }) => listed(method, spelling))) await expectNotListed("GET", spelling);
    }
  });

  it.each([
    "",
    "/",
    "/nothing",
    "/../../healthz",
    "/..%2f..%2fhealthz",
    "/%",
    "/%ZZ",
    `/${"x".repeat(4_000)}`,
  ])("is a plain-text 404: %s", async (path) => expectNotListed("GET", path));

  async function expectNotListed(method: string, path: string): Promise<void> {
    for (const keyText of [null, await world.keys.next()]) {
      const response = await world.call(keyText, method, path);
      expect([method, path, response.status]).toEqual([method, path, 404]);
      expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-z-]{14}$/);
      expect(response.text).toBe(method === "HEAD" ? "" : "Not Found");
    }
  }

  it("is neither counted nor audited", async () => {
    const key = await world.own.addKey([]);
    for (let sent = 0; sent < 120; sent++) await world.call(key.text, "DELETE", "/accounts");
    const response = await world.call(key.text, "GET", "/accounts");
    expect(response.status).toBe(403);
    const { rows } = await database.ownerPool.query(
      "select count(*)::int as count from audit_entries where organization_id = $1 and api_key_id = $2",
      [world.own.organizationId, key.id],
    );
    expect(rows[0]?.count).toBe(1);
  });
});

describe.each(lists)("the pages of %s", (_operationId, operation) => {
  it("hold every item once and in one order, and say truly whether another follows", async () => {
    // Reading makes audit entries; a list that has a range is held still by its end.
    const now = world.clock.now();
    const still = {
      ...(has(operation, "to") && { to: now.toISOString() }),
      // The log has more than a page; its last second has less.
      ...(operation.operationId === "listAuditLog" && { from: new Date(now.getTime() - 999).toISOString() }),
    };
    world.clock.advance(1_000);
    const whole = await read(operation, { ...still, pageSize: "100" });
    // An item of the list of balances is named by its account.
    const ids = (data: { items: { id?: string; accountId?: string }[] }) =>
      data.items.map(({ id, accountId }) => id ?? accountId);
    expect(ids(whole)).not.toContain(undefined);
    expect(whole.pagination).toEqual({ page: 1, pageSize: 100, hasNextPage: false });
    expect(whole.items.length).toBeGreaterThan(0);
    // Also sizes that divide the whole: the last page is full, and yet the last.
    for (const pageSize of new Set([1, 2, whole.items.length])) {
      const met: (string | undefined)[] = [];
      const pages = Math.ceil(whole.items.length / pageSize);
      for (let page = 1; page <= pages; page++) {
        const data = await read(operation, {
          ...still,
          page: String(page),
          pageSize: String(pageSize),
        });
        expect(data.pagination).toEqual({ page, pageSize, hasNextPage: page < pages });
        met.push(...ids(data));
      }
      expect(met).toEqual(ids(whole));
    }
  });

  it("are the first and of ten by default, and empty beyond the last, however far", async () => {
    expect((await read(operation, {})).pagination).toMatchObject({ page: 1, pageSize: 10 });
    for (const page of ["100", "1000000"]) {
      const beyond = await read(operation, { page, pageSize: "100" });
      expect(beyond.items).toEqual([]);
      expect(beyond.pagination).toEqual({ page: Number(page), pageSize: 100, hasNextPage: false });
    }
  });
});

describe.each(windowed)("the window of %s", (_operationId, operation) => {
  const ago = (ms: number) => new Date(world.clock.now().getTime() - ms);
  const window = async (from: Date | null, to: Date | null = null) =>
    (
      await read(operation, {
        ...(from && { from: from.toISOString() }),
        ...(to && { to: to.toISOString() }),
      })
    ).window;

  it("reaches 90 days back, clamps what is older and says so", async () => {
    const earliest = ago(DATE_WINDOW_MS).toISOString();
    const now = world.clock.now().toISOString();
    expect(await window(ago(DATE_WINDOW_MS + 1))).toEqual({ from: earliest, to: now, truncated: true });
    expect(await window(ago(DATE_WINDOW_MS))).toEqual({ from: earliest, to: now, truncated: false });
    expect(await window(ago(1_000))).toMatchObject({
      from: ago(1_000).toISOString(),
      truncated: false,
    });
    expect(await window(new Date(0), ago(1_000))).toEqual({
      from: earliest,
      to: ago(1_000).toISOString(),
      truncated: true,
    });
  });

  it("shows nothing of a range that lies wholly before it", async () => {
    const data = await read(operation, { from: "2001-01-01T00:00:00Z", to: "2001-02-01T00:00:00Z" });
    expect(data.window.truncated).toBe(true);
    if (Array.isArray(data.items)) expect(data.items).toEqual([]);
  });
});
