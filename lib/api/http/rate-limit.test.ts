import { beforeEach, describe, expect, it } from "vitest";
import { createHooks } from "@/lib/api/hooks/app";
import { createApi } from "@/lib/api/http/app";
import { operations } from "@/lib/api/operations/table";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { newKeyText } from "@/lib/core/keys/key-text";
import { newId } from "@/lib/platform/ids";
import { expectContract } from "@/lib/testing/api-proof/expect-contract";
import { revokeKey } from "@/lib/testing/api-proof/key-ring";
import { fixturesOf, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import { countRows } from "@/lib/testing/api-proof/organization-with-everything";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { countQueries, useTestDatabase } from "@/lib/testing/database";
import { createTestMcp } from "@/lib/testing/mcp";

/** A hundred requests of a key in a clock minute (specification, Part 8), over two processes in requests-over-two-processes.test.ts. */
const database = useTestDatabase();
let world: ProofWorld;
beforeEach(async () => {
  world = await createProofWorld(database);
});

/** A key that has been used `used` times in this minute; making it asks once. */
async function keyUsed(used: number) {
  const key = await world.own.addKey([{ type: "READ_ACCOUNTS", accounts: "ALL" }]);
  for (let sent = 1; sent < used; sent++) await world.call(key.text, "GET", "/accounts?page=0");
  return key;
}

it("the headers count down, refused requests count, and the hundred and first learns when to retry", async () => {
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

it("another key of the same organization continues, and refusals are in the audit log", async () => {
  const key = await keyUsed(100);
  const refused = await world.call(key.text, "GET", "/accounts", { headers: { "x-called-reason": "poll" } });
  expect((await world.call(await world.keys.next(), "GET", "/accounts")).status).toBe(200);
  const { rows } = await database.ownerPool.query(
    `select action, outcome, error_code as "errorCode", request_id as "requestId" from audit_entries
      where organization_id = $1 and api_key_id = $2 and error_code = 'RATE_LIMIT_EXCEEDED'`,
    [world.own.organizationId, key.id],
  );
  expect(rows).toEqual([
    {
      action: "LIST_ACCOUNTS",
      outcome: "FAILURE",
      errorCode: "RATE_LIMIT_EXCEEDED",
      requestId: refused.headers.get("x-request-id"),
    },
  ]);
});

describe("a flood of refused requests costs the database nothing", () => {
  /** The API of another process, with what it sends to the database and its audit log. */
  function openApi(on = world.services) {
    const { pool, queries } = countQueries(on.pool);
    const services = { ...on, pool };
    const audit = createAuditWriter(services);
    const api = createApi({ ...services, audit });
    const send = async (text: string, path = "/accounts") =>
      api.request(`/platform/v1${path}`, { headers: { Authorization: `Bearer ${text}` } });
    const ask = async (text: string, path?: string) => (await send(text, path)).status;
    return { ask, send, queries, audit, services };
  }

  const refusalsOf = async (keyId: string) => {
    const { rows } = await database.ownerPool.query<{ path: string; outcome: string; action: string | null }>(
      `select path, outcome, action from audit_entries
        where api_key_id = $1 and error_code = 'RATE_LIMIT_EXCEEDED' order by id`,
      [keyId],
    );
    return rows;
  };

  it("after the first of a minute, in each process; the next minute is asked for again", async () => {
    const key = await keyUsed(100);
    const [first, second] = [openApi(), openApi()];
    for (const { ask, queries } of [first, second]) {
      expect(await ask(key.text)).toBe(429);
      queries.length = 0;
      for (let sent = 0; sent < 30; sent++) expect(await ask(key.text)).toBe(429);
      expect(queries).toEqual([]);
    }
    world.clock.advance(60_000);
    expect(await first.ask(key.text)).toBe(200);
  });

  it("and is in the audit log whole: the first, and one entry with the number of the others", async () => {
    const key = await keyUsed(100);
    const { ask, audit } = openApi();
    for (let sent = 0; sent < 25; sent++) {
      await ask(key.text, sent % 2 === 0 ? "/accounts" : "/rules");
      world.clock.advance(10);
    }
    expect(await refusalsOf(key.id)).toHaveLength(1);
    // The next minute's first refusal writes the total of the last one.
    world.clock.advance(60_000);
    for (let sent = 0; sent < 102; sent++) {
      await ask(key.text);
      world.clock.advance(10);
    }
    const first = { path: "/platform/v1/accounts", outcome: "FAILURE", action: "LIST_ACCOUNTS" };
    const count = (more: string) => ({ path: `(${more} above the limit)`, outcome: "FAILURE", action: null });
    expect(await refusalsOf(key.id)).toEqual([first, count("24 more requests"), first]);
    await audit.close();
    expect(await refusalsOf(key.id)).toEqual([
      first,
      count("24 more requests"),
      first,
      count("1 more request"),
    ]);
  });

  it("also by an agent's tools, whose answers still say it", async () => {
    const key = await keyUsed(100);
    const { services, queries } = openApi();
    const mcp = createTestMcp(services);
    const call = () => mcp.callTool(key.text, "listAccounts", {});
    expect((await call()).isError).toBe(true);
    queries.length = 0;
    for (let sent = 0; sent < 5; sent++) {
      expect((await call()).isError).toBe(true);
      expect((await mcp.ask(key.text, "tools/list")).status).toBe(429);
      expect((await mcp.ask(key.text, "tools/call", { name: "noSuchTool", arguments: {} })).text).not.toBe(
        "",
      );
    }
    expect(queries).toEqual([]);
  });

  it("of a key that is revoked meanwhile, which is refused all along", async () => {
    const key = await keyUsed(100);
    const { ask } = openApi();
    expect(await ask(key.text)).toBe(429);
    await revokeKey(database, world.own.organizationId, key.id);
    expect(await ask(key.text)).toBe(429);
    world.clock.advance(60_000);
    expect(await ask(key.text)).toBe(401);
  });

  it("of a key within its limit, each request is asked for, so a revoked one is refused at once", async () => {
    const key = await keyUsed(2);
    const { ask } = openApi();
    expect(await ask(key.text)).toBe(200);
    await revokeKey(database, world.own.organizationId, key.id);
    expect(await ask(key.text)).toBe(401);
  });

  it("of a thousand keys that nobody has, all but a bounded number are refused without a look-up; a known key goes on", async () => {
    const key = await keyUsed(2);
    const { ask, send, queries } = openApi();
    expect(await ask(key.text)).toBe(200);
    queries.length = 0;
    const startedAt = performance.now();
    const answers: Response[] = [];
    for (let sent = 0; sent < 1_000; sent++) answers.push(await send(newKeyText()));
    const lookUps = queries.filter((query) => query === "authenticate_api_keys").length;
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(lookUps).toBeGreaterThanOrEqual(100);
    expect(lookUps).toBeLessThanOrEqual(100 + 25 * seconds + 2);
    expect(queries).toHaveLength(lookUps);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1_000 - lookUps);
    expect(new Set(refused.map(({ headers }) => headers.get("retry-after")))).toEqual(new Set(["1"]));
    expect(answers.filter(({ status }) => status !== 429 && status !== 401)).toEqual([]);
    expect(await ask(key.text)).toBe(200);
  });

  it("of unknown keys all at once, two are looked up, a thousand wait and the others are refused; a known key passes them", async () => {
    const key = await keyUsed(2);
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const held = { isOn: false, keys: 0 };
    const pool = new Proxy(database.pool, {
      get: (target, name) => {
        if (name !== "query" || !held.isOn) return Reflect.get(target, name);
        return async (query: { name?: string; values: [string] }) => {
          if (query.name === "authenticate_api_keys") {
            held.keys += JSON.parse(query.values[0]).length;
            await answered;
          }
          return Reflect.apply(target.query, target, [query]);
        };
      },
    });
    const services = { ...world.services, pool };
    const { send, ask } = openApi(services);
    expect(await ask(key.text)).toBe(200);
    held.isOn = true;
    const flood = Array.from({ length: 1_050 }, () => send(newKeyText()));
    const first = await Promise.all(flood.slice(1_002));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([429]));
    await expect.poll(() => held.keys).toBe(2);
    const known = ask(key.text);
    await expect.poll(() => held.keys).toBe(3);
    answer();
    expect(await known).toBe(200);
    const rest = await Promise.all(flood);
    expect(rest.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(99);
  });

  it("but a process that has just started refuses no valid key, however many ask at once", async () => {
    const keys = await Promise.all(Array.from({ length: 3 }, () => keyUsed(1)));
    const { ask } = openApi();
    const asked = Array.from({ length: 180 }, (_, at) => ask(keys[at % keys.length]?.text ?? ""));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  });

  it("of unknown tokens and hook secrets too, each answered 429 with the second to come back after", async () => {
    const { services, queries } = openApi();
    const mcp = createTestMcp(services);
    const hooks = createHooks({ ...services, audit: createAuditWriter(services) });
    const asks = {
      mcp: () => mcp.ask(newId(world.clock.now()), "tools/list"),
      hooks: async () => {
        const authorization = `Bearer ${newId(world.clock.now())}`;
        const path = `/hooks/rules/${newId(world.clock.now())}`;
        return hooks.request(path, { method: "POST", headers: { authorization } });
      },
    };
    for (const [name, ask] of Object.entries(asks)) {
      queries.length = 0;
      const seen = new Set<string>();
      for (let sent = 0; sent < 300; sent++) {
        const { status, headers } = await ask();
        seen.add(`${status} ${headers.get("retry-after")}`);
      }
      expect(seen, name).toEqual(new Set(["401 null", "429 1"]));
      expect(queries.length, name).toBeLessThan(250);
    }
  });

  it("of a key that nobody has, which is looked for once; a new key works at once", async () => {
    const { ask, queries } = openApi();
    const nobodys = newKeyText();
    for (let sent = 0; sent < 20; sent++) expect(await ask(nobodys)).toBe(401);
    expect(queries).toEqual(["authenticate_api_keys"]);
    const key = await world.own.addKey([{ type: "READ_ACCOUNTS", accounts: "ALL" }]);
    expect(await ask(key.text)).toBe(200);
  });
});
