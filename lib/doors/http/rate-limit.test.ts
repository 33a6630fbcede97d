import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { operations } from "@/lib/doors/operations/table";
import { expectContract } from "@/lib/testing/api-proof/expect-contract";
import { fixturesOf } from "@/lib/testing/api-proof/operation-fixtures";
import { toWire } from "@/lib/testing/api-proof/operation-request";
import { countRows } from "@/lib/testing/api-proof/row-counts";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/database";

/** A hundred requests of a key in a clock minute (specification, Part 8), over two processes in two-processes.test.ts. */
let database: TestDatabase;
let world: ProofWorld;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  world = await createProofWorld(database);
});
afterAll(() => database.close());

/** A key that has been used `used` times in this minute; making it asks once. */
async function keyUsed(used: number) {
  const key = await world.own.addKey([{ type: "READ_ACCOUNTS", accounts: "ALL" }]);
  for (let sent = 1; sent < used; sent++) await world.call(key.text, "GET", "/accounts?page=0");
  return key;
}

it("the headers count down, refused requests count, and the hundred and first is told when to come back", async () => {
  world.clock.set(new Date("2026-01-15T17:01:20.500Z"));
  const key = await keyUsed(98);
  const seen: (string | null)[][] = [];
  for (let sent = 0; sent < 4; sent++) {
    const { status, headers } = await world.call(key.text, "GET", "/accounts");
    seen.push([String(status), headers.get("ratelimit"), headers.get("retry-after")]);
  }
  expect(seen).toEqual([
    ["200", '"per-key";r=1;t=40', null],
    ["200", '"per-key";r=0;t=40', null],
    ["429", '"per-key";r=0;t=40', "40"],
    ["429", '"per-key";r=0;t=40', "40"],
  ]);
});

it("the window ends with the clock minute, to the millisecond", async () => {
  world.clock.set(new Date("2026-01-15T17:01:00.000Z"));
  const key = await keyUsed(100);
  const now = async (text: string) => {
    world.clock.set(new Date(text));
    const { status, headers } = await world.call(key.text, "GET", "/accounts");
    return [status, headers.get("retry-after")];
  };
  expect(await now("2026-01-15T17:01:00.000Z")).toEqual([429, "60"]);
  expect(await now("2026-01-15T17:01:59.999Z")).toEqual([429, "1"]);
  expect(await now("2026-01-15T17:02:00.000Z")).toEqual([200, null]);
});

it("a process whose clock lags opens no minute again that another has begun", async () => {
  world.clock.set(new Date("2026-01-15T17:02:00.000Z"));
  const key = await keyUsed(100);
  world.clock.set(new Date("2026-01-15T17:01:59.000Z"));
  expect((await world.call(key.text, "GET", "/accounts")).status).toBe(429);
});

it("every operation is refused in the same way, before it looks at the request, and does nothing", async () => {
  const key = await keyUsed(100);
  const before = await countRows(database);
  for (const operation of operations) {
    const { method, path, body } = toWire(operation, fixturesOf(operation.operationId, world.own)[0].input);
    for (const sent of [body, body && {}]) {
      const response = await world.call(key.text, method, path, { body: sent });
      expect([response.status, Object(response.body).error?.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
      expectContract(operation, response);
    }
  }
  expect(await countRows(database)).toEqual(before);
});

it("another key of the same organization goes on, and what was refused stands in the audit log", async () => {
  const key = await keyUsed(100);
  const refused = await world.call(key.text, "GET", "/accounts", { headers: { "x-called-reason": "poll" } });
  expect((await world.call(await world.keys.next(), "GET", "/accounts")).status).toBe(200);
  const { rows } = await database.ownerPool.query(
    `select action, outcome, error_code, request_id from audit_entries
      where organization_id = $1 and api_key_id = $2 and error_code = 'RATE_LIMIT_EXCEEDED'`,
    [world.own.organizationId, key.id],
  );
  expect(rows).toEqual([
    {
      action: "LIST_ACCOUNTS",
      outcome: "FAILURE",
      error_code: "RATE_LIMIT_EXCEEDED",
      request_id: refused.headers.get("x-request-id"),
    },
  ]);
});
