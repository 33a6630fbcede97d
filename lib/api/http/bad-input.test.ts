import { beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";
import { type ApiResponse, createTestApi } from "@/lib/testing/api";
import { expectContract } from "@/lib/testing/api-proof/expect-contract";
import { inputSchemaOf } from "@/lib/testing/api-proof/json-schema-node";
import { ALL_PERMISSIONS, KeyRing } from "@/lib/testing/api-proof/key-ring";
import { fixturesOf, pathNames, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import {
  countRows,
  createOrganizationWithEverything,
  type OrganizationWithEverything,
} from "@/lib/testing/api-proof/organization-with-everything";
import { NO_UUIDS, type SpoiledInput, spoilBody, spoilQuery } from "@/lib/testing/api-proof/spoil-input";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestServices } from "@/lib/testing/services";

/**
 * Every field of every operation, spoiled in every way that its schema tells (the tables are made from the schemas, so
 * a new field is tried without being thought of). Goal: a refusal that names the field; never an internal error, never a
 * change.
 */
const rows = operations.map((operation) => [operation.operationId, operation] as const);

const SPOILED_HEADERS: readonly [string, string][] = [
  ["idempotency-key", ""],
  ["idempotency-key", "x".repeat(37)],
  ["idempotency-key", "with space"],
  ["idempotency-key", "a,b"],
  ["idempotency-key", "schl\u00fcssel"],
  ["idempotency-key", "'; drop table transfers; --"],
  ["x-called-reason", "x".repeat(501)],
  ["x-called-reason", latin1("pay \u202e$10")],
  ["x-called-reason", latin1("a\u0085b")],
  ["x-called-reason", latin1("a\u2028b")],
  ["x-called-reason", "a\tb"],
];

const database = useTestDatabase();
let world: OrganizationWithEverything;
let keys: KeyRing;
let call: ReturnType<typeof createTestApi>;
beforeAll(async () => {
  const { services } = createTestServices(database);
  world = await createOrganizationWithEverything(database, services, "NORTH");
  keys = new KeyRing(world, ALL_PERMISSIONS);
  call = createTestApi(services);
});

it("decodes a path and a query once: what is encoded twice is another text", async () => {
  const key = await keys.next();
  const status = async (path: string) => (await call(key, "GET", path)).status;
  expect(await status("/rules?status=%41CTIVE")).toBe(200);
  expect(await status("/rules?status=%2541CTIVE")).toBe(400);
  expect(await status("/accounts%3FpageSize=1")).toBe(404);
  expect(await status("/rules/%252e%252e/accounts")).toBe(404);
});

describe.each(rows)("%s", (operationId, operation) => {
  it("refuses each spoiled field with 400, names it, and changes nothing", async () => {
    const spoiled = spoiledInputs(operation);
    // Keys are made first: their rows are not what a refusal wrote.
    const texts = await keys.take(spoiled.length);
    const before = await countRows(database);
    const wrong: string[] = [];
    await inGroups(spoiled, async (one, index) => {
      const { method, path, body } = toWire(operation, one.input);
      const response = await call(texts[index] ?? "", method, path, { body });
      const fault = faultOf(response, one.field);
      if (fault) wrong.push(`${one.field} = ${one.what}: ${fault}`);
      else expectContract(operation, response);
    });
    expect(wrong).toEqual([]);
    expect(await countRows(database)).toEqual(before);
    expect(spoiled.length).toBeGreaterThan(3);
  });

  it("answers a path that cannot name anything with the 404 of its kind", async () => {
    const { input } = fixturesOf(operationId, world)[0];
    for (const name of pathNames(operation)) {
      const texts = [
        "%00",
        "a%2Fb",
        "%E2%80%AE",
        "%FF",
        "%",
        "%ZZ",
        "'%20or%201=1--",
        "x".repeat(5_000),
        "__proto__",
      ];
      for (const text of [...NO_UUIDS.map(encodeURIComponent), ...texts]) {
        const { method, path, body } = toWire(operation, { ...input, [name]: "PLACE" });
        const response = await call(await keys.next(), method, path.replace("PLACE", text), { body });
        const { pathParameters } = operation;
        const notFound = pathParameters?.notFound;
        const code = typeof notFound === "string" ? notFound : notFound?.[name];
        expect([text, response.status, Object(response.body).error?.code]).toEqual([text, 404, code]);
        expectContract(operation, response);
      }
    }
  });

  it("refuses each spoiled header with 400, names it, and changes nothing", async () => {
    const { method, path, body } = toWire(operation, fixturesOf(operationId, world)[0].input);
    const applying = SPOILED_HEADERS.filter(([name]) => name !== "idempotency-key" || operation.isIdempotent);
    const texts = await keys.take(applying.length);
    const before = await countRows(database);
    for (const [index, [name, value]] of applying.entries()) {
      const response = await call(texts[index] ?? "", method, path, { body, headers: { [name]: value } });
      expect([value, faultOf(response, name)]).toEqual([value, null]);
      expectContract(operation, response);
    }
    expect(await countRows(database)).toEqual(before);
  });
});

/** HTTP carries header bytes as Latin-1; callers write UTF-8 into it. */
function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function spoiledInputs(operation: Operation): SpoiledInput[] {
  const schema = inputSchemaOf(operation);
  const inPath = new Set(pathNames(operation));
  const inputs = fixturesOf(operation.operationId, world).map(({ input }) => input);
  if (operation.method === "GET") {
    const names = Object.keys(schema.properties ?? {}).filter((name) => !inPath.has(name));
    return spoilQuery(schema, inputs[0] ?? {}, names);
  }
  return spoilBody(schema, inputs).filter(({ field }) => !inPath.has(field.split(".")[0] ?? ""));
}

/** @returns what is wrong with a refusal of this field, or null */
function faultOf(response: ApiResponse, field: string): string | null {
  const error = Object(response.body).error;
  if (response.status !== 400 || error?.code !== "INVALID_PARAMETERS") {
    return `answered ${response.status} ${response.text.slice(0, 200)}`;
  }
  const details: { field: string; message: string }[] = error.details ?? [];
  const named = details.find((detail) => isAbout(detail.field, field));
  if (!named) return `does not name the field: ${response.text.slice(0, 200)}`;
  if (!error.message.includes(details[0]?.field)) return `its message names no field: ${error.message}`;
  if (/^(is required: )?Invalid input$/.test(named.message))
    return `does not say what it must be: ${error.message}`;
  return null;
}

/**
 * The field itself, something in it, or what it is in. Inside a body also the field beside it: where the two contradict
 * each other, either may be the one that is wrong.
 */
function isAbout(named: string, field: string): boolean {
  const parent = field.slice(0, Math.max(0, field.lastIndexOf(".")));
  const isBeside = parent !== "" && named.startsWith(`${parent}.`);
  return named === field || isBeside || named.startsWith(`${field}.`) || field.startsWith(`${named}.`);
}

const GROUP = 16;

async function inGroups<T>(all: readonly T[], run: (one: T, index: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < all.length; start += GROUP) {
    await Promise.all(all.slice(start, start + GROUP).map((one, offset) => run(one, start + offset)));
  }
}
