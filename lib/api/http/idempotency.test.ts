import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { expectContract } from "@/lib/testing/api-proof/expect-contract";
import { ALL_PERMISSIONS } from "@/lib/testing/api-proof/key-ring";
import { fixturesOf, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import { countRows } from "@/lib/testing/api-proof/organization-with-everything";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { auditBooks } from "@/lib/testing/conservation";
import { useTestDatabase } from "@/lib/testing/database";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

/**
 * A client that does not know whether its request arrived sends it again. Goal: whatever it repeats, whenever and how
 * often, happens once; and nobody gets an answer that was another's.
 */
const HOUR_MS = 3_600_000;
const rows = operations
  .filter((operation) => operation.isIdempotent)
  .map((operation) => [operation.operationId, operation] as const);

const database = useTestDatabase();
let world: ProofWorld;
const newWorld = async () => {
  world = await createProofWorld(database);
};
beforeAll(newWorld);

const post = (keyText: string, idempotencyKey: string, fields: Record<string, unknown> = {}) =>
  world.call(keyText, "POST", "/transfers", {
    body: {
      sourceAccountId: world.own.ids.operating,
      destinationAccountId: world.own.ids.taxes,
      amountInCents: 12_500,
      ...fields,
    },
    headers: { "idempotency-key": idempotencyKey },
  });
const addKey = async () => (await world.own.addKey(ALL_PERMISSIONS)).text;
const countTransfers = () => countIn("transfers");
const countIn = async (table: "transfers" | "idempotency_results") => {
  const { rows } = await database.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`);
  return rows[0]?.n ?? 0;
};

it("`simulation: false` is the same request as none", async () => {
  const keyText = await addKey();
  const before = await countTransfers();
  const first = await post(keyText, "dry");
  for (const fields of [{ simulation: false }, {}]) {
    const again = await post(keyText, "dry", fields);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
  }
  const dry = await post(keyText, "dry", { simulation: true });
  expect(dry.body).toMatchObject({ error: { code: "IDEMPOTENCY_KEY_MISMATCH" } });
  expect((await countTransfers()) - before).toBe(1);
});

it("every operation that changes something takes an idempotency key, except where repeating it changes nothing more or nothing is real", () => {
  const changing = operations
    .filter(
      ({ method, path, tool }) => method !== "GET" && !tool.hints.idempotent && !path.startsWith("/sandbox/"),
    )
    .map(({ operationId }) => operationId);
  expect(rows.map(([operationId]) => operationId)).toEqual(changing);
});

const askFor =
  (operation: Operation) => (keyText: string, idempotencyKey: string, input: Record<string, unknown>) => {
    const { method, path, body } = toWire(operation, input);
    return world.call(keyText, method, path, { body, headers: { "idempotency-key": idempotencyKey } });
  };

describe.each(rows)("%s", (operationId, operation) => {
  // Its input names the version of a rule that nobody has changed yet.
  beforeAll(newWorld);
  const ask = askFor(operation);

  it("happens once however often it is repeated, also at once, and answers what it answered first", async () => {
    const [fixture] = fixturesOf(operationId, world.own);
    const keyText = await addKey();
    const remembered = () => countIn("idempotency_results");
    const rememberedBefore = await remembered();
    const first = await ask(keyText, "again", fixture.input);
    expectContract(operation, first);
    const before = await countRows(database);
    const again = await Promise.all(Array.from({ length: 8 }, () => ask(keyText, "again", fixture.input)));
    for (const response of again) {
      expectContract(operation, response);
      expect(response.status).toBe(fixture.status);
      if (fixture.status < 400) expect(response.body).toEqual(first.body);
      expect(response.headers.get("idempotent-replayed")).toBe(fixture.status < 400 ? "true" : null);
    }
    expect(await countRows(database)).toEqual(before);
    // What was refused before it began leaves its key free.
    expect((await remembered()) - rememberedBefore).toBe(fixture.status < 400 ? 1 : 0);
  });
});

describe.each(rows)("%s", (operationId, operation) => {
  // Its input names the version of a rule that nobody has changed yet.
  beforeAll(newWorld);
  const ask = askFor(operation);

  it("is refused under a key that was used for another request", async () => {
    const [fixture] = fixturesOf(operationId, world.own);
    const keyText = await addKey();
    await ask(keyText, "once", fixture.input);
    const before = await countRows(database);
    const changed = Object.fromEntries(
      Object.entries(fixture.input).map(([name, value]) => [name, changeValue(name, value)]),
    );
    const other = await ask(keyText, "once", changed);
    expect([other.status, Object(other.body).error?.code], other.text).toEqual([
      400,
      "IDEMPOTENCY_KEY_MISMATCH",
    ]);
    expect(await countRows(database)).toEqual(before);
  });

  it("is remembered for 24 hours of business time, and starts over after that", async () => {
    const [fixture] = fixturesOf(operationId, world.own);
    const { expectedVersion: _, ...input } = fixture.input;
    const keyText = await addKey();
    const first = await ask(keyText, "a-day", input);
    world.clock.advance(24 * HOUR_MS - 1);
    expect((await ask(keyText, "a-day", input)).body).toEqual(first.body);
    world.clock.advance(1);
    const anew = await ask(keyText, "a-day", input);
    expect([anew.status, anew.headers.get("idempotent-replayed")]).toEqual([fixture.status, null]);
    expect((await ask(keyText, "a-day", input)).body).toEqual(anew.body);
  });

  it("happens for each API key of its own under the same idempotency key", async () => {
    const fixture = fixturesOf(operationId, world.own)[0];
    // A version that was expected once is not the one of the second time.
    const { expectedVersion: _, ...input } = fixture.input;
    const responses = [await ask(await addKey(), "same", input), await ask(await addKey(), "same", input)];
    expect(responses.map(({ status }) => status)).toEqual([fixture.status, fixture.status]);
    expect(responses.map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, null]);
    expect(responses[0]?.text).not.toBe(responses[1]?.text);
  });
});

/** Another request of the same operation: a text or an amount that differs, ids as they were. */
function changeValue(name: string, value: unknown): unknown {
  if (name === "name" || name === "reason" || name === "reasonForApproval") return `${value} two`;
  const isAmount = name === "amountInCents" || name === "executeAmount";
  return isAmount && typeof value === "number" ? value + 1 : value;
}

describe("an idempotency key", () => {
  it("makes one transfer of 50 identical requests at once; the rest are its replay or told to wait", async () => {
    const keyText = await addKey();
    const before = await countTransfers();
    const responses = await Promise.all(Array.from({ length: 50 }, () => post(keyText, "invoice-318")));
    expect(await countTransfers()).toBe(before + 1);
    const made = responses.filter(({ status }) => status === 202);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => Object(body).data.id)).size).toBe(1);
    const others = responses.filter(({ status }) => status !== 202);
    for (const { body, headers } of others) {
      expect(body).toMatchObject({ error: { code: "TRANSFER_IN_PROGRESS" } });
      expect(headers.get("retry-after")).toBe("1");
    }
  });

  it.each([
    ["401", async (key: string) => post(`${key}x`, "free"), 401],
    ["400", async (key: string) => post(key, "free", { amountInCents: 1 }), 400],
    [
      "400 of a party",
      async (key: string) => post(key, "free", { sourceAccountId: crypto.randomUUID() }),
      400,
    ],
    ["413", async (key: string) => post(key, "free", { reasonForApproval: "x".repeat(70_000) }), 413],
  ])("is left free by a request that was refused with %s", async (_what, refuse, status) => {
    const keyText = await addKey();
    expect((await refuse(keyText)).status).toBe(status);
    const made = await post(keyText, "free");
    expect([made.status, made.headers.get("idempotent-replayed")]).toEqual([202, null]);
  });

  it("is left free by a refusal for lack of permission, and for the rate limit", async () => {
    const { operating, taxes } = world.own.ids;
    const key = await world.own.addKey([
      {
        type: "MANUAL_TRANSFER",
        entries: [{ source: operating, target: taxes, max_amount: 20_000 }],
        approval: { required: false },
      },
    ]);
    expect((await post(key.text, "free", { amountInCents: 20_001 })).status).toBe(403);
    const other = { sourceAccountId: taxes, destinationAccountId: operating };
    expect((await post(key.text, "free", other)).status).toBe(403);
    for (let sent = 0; sent < 100; sent++) await post(key.text, "free", { amountInCents: 1 });
    expect((await post(key.text, "free")).status).toBe(429);
    world.clock.advance(60_000);
    expect((await post(key.text, "free")).status).toBe(202);
  });

  it("counts for its operation and path alone", async () => {
    const keyText = await addKey();
    const rule = fixturesOf("createRule", world.own)[0].input;
    const headers = { "idempotency-key": "same" };
    const { id: _, expectedVersion: __, ...edit } = fixturesOf("updateRule", world.own)[0].input;
    const responses = [
      await post(keyText, "same"),
      await world.call(keyText, "POST", "/rules", { body: rule, headers }),
      await world.call(keyText, "PUT", `/rules/${world.own.ids.rule}`, { body: edit, headers }),
      await world.call(keyText, "PUT", `/rules/${world.own.ids.otherRule}`, { body: edit, headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([202, 201, 200, 200]);
    for (const response of responses) expect(response.headers.get("idempotent-replayed")).toBeNull();
  });

  it("is the same under every spelling of its path", async () => {
    const keyText = await addKey();
    const { id: _, expectedVersion: __, ...body } = fixturesOf("updateRule", world.own)[0].input;
    const headers = { "idempotency-key": "same" };
    const id = world.own.ids.rule;
    const first = await world.call(keyText, "PUT", `/rules/${id}`, { body, headers });
    for (const spelling of [id.toUpperCase(), id.replaceAll("-", "%2D"), id.replace(/^0/, "%30")]) {
      const again = await world.call(keyText, "PUT", `/rules/${spelling}`, { body, headers });
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
  });

  it("gives another key's answer to nobody: another organization's caller cannot even tell that it was used", async () => {
    const { text } = await world.stranger.addKey(ALL_PERMISSIONS);
    await post(await addKey(), "invoice-318");
    const { operating: sourceAccountId, taxes: destinationAccountId } = world.stranger.ids;
    const theirs = await post(text, "invoice-318", { sourceAccountId, destinationAccountId });
    expect([theirs.status, theirs.headers.get("idempotent-replayed")]).toEqual([202, null]);
    const stranger = await post(text, "invoice-319");
    expect(Object(stranger.body).error.code).toBe("TRANSFER_SOURCE_NOT_FOUND");
  });
});

describe("retries in any order", () => {
  const INTENTS = 3;
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("SEND" as const), intent: fc.nat(INTENTS - 1) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("AT_ONCE" as const),
        intents: fc.array(fc.nat(INTENTS - 1), { minLength: 2, maxLength: 6 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("BOOK" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("WAIT" as const), minutes: fc.integer({ min: 1, max: 60 }) }),
    },
  );

  it("never make two transfers of one intent, nor none of one that was accepted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
        const keyText = await addKey();
        const before = await countTransfers();
        const reported = new Map<number, Set<string>>();
        const send = async (intent: number) => {
          const response = await post(keyText, `intent-${intent}`, { amountInCents: 100 + intent });
          if (response.status === 409) return;
          expect(response.status, response.text).toBe(202);
          const ids = reported.get(intent) ?? new Set();
          reported.set(intent, ids.add(Object(response.body).data.id));
        };
        for (const one of steps) {
          if (one.kind === "SEND") await send(one.intent);
          if (one.kind === "AT_ONCE") await Promise.all(one.intents.map(send));
          if (one.kind === "BOOK") await bookDueTransfers(world.services, 10);
          // 16 times an hour at most: within the 24 hours.
          if (one.kind === "WAIT") world.clock.advance(one.minutes * 60_000);
        }
        expect([...reported.values()].map((ids) => ids.size)).toEqual([...reported].map(() => 1));
        expect((await countTransfers()) - before).toBe(reported.size);
      }),
      { numRuns: proofSize(8, 300), seed: proofSeed },
    );
    const books = await auditBooks(database, world.own.organizationId);
    expect(books).toMatchObject({ wrongLedgers: [], negative: [], wrongHolds: [] });
  });
});
