import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/api/operations/table";
import { expectContract } from "@/lib/testing/api-proof/expect-contract";
import { fixturesOf, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import { countRows } from "@/lib/testing/api-proof/organization-with-everything";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { useTestDatabase } from "@/lib/testing/database";

/**
 * Bodies at the edges of what a body is, on every operation that takes one. Goal: what is not a JSON object in UTF-8 of
 * at most 64 KiB changes nothing, and what is one means the same to the caller, to us and to the approver.
 */
const MAXIMUM_BYTES = 65_536;
/** A document of 5 MB in Base64. */
const MAXIMUM_BYTES_WITH_DOCUMENT = 7_340_032;
const CARRIES_DOCUMENT = new Set(["addTransferDocument"]);
const rows = operations
  .filter(({ method }) => method !== "GET")
  .map((operation) => [operation.operationId, operation] as const);

const database = useTestDatabase();
let world: ProofWorld;
beforeAll(async () => {
  world = await createProofWorld(database);
});

type RawBody = string | Uint8Array<ArrayBuffer>;

const bytes = (...parts: (string | number[])[]): RawBody =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(typeof part === "string" ? part : part))));

/** Each made from the valid body. */
const WRONG_BODIES: readonly [string, (valid: string) => RawBody][] = [
  ["nothing", () => ""],
  ["white space", () => " \n"],
  ["not JSON", (valid) => valid.slice(0, -1)],
  ["two documents", (valid) => `${valid}${valid}`],
  ["a list", (valid) => `[${valid}]`],
  ["a number", () => "7"],
  ["a text", (valid) => JSON.stringify(valid)],
  ["null", () => "null"],
  ["form fields", () => "amountInCents=100"],
  ["a comment", (valid) => `${valid} // please`],
  ["NaN", (valid) => valid.replace(/:("[^"]*"|\d+)/, ":NaN")],
  ["nested without end", () => `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
  ["lists nested without end", () => "[".repeat(60_000)],
  ["invalid UTF-8", (valid) => bytes(valid.slice(0, -1), ',"description":"', [0xff, 0xfe], '"}')],
  ["an overlong escape of a slash", (valid) => bytes(valid.slice(0, -1), ',"x":"', [0xc0, 0xaf], '"}')],
  ["a surrogate in UTF-8", (valid) => bytes(valid.slice(0, -1), ',"x":"', [0xed, 0xa0, 0x80], '"}')],
  ["UTF-16", (valid) => new Uint8Array(Buffer.from(valid, "utf16le"))],
  ["packed with gzip", (valid) => new Uint8Array(gzipSync(valid))],
];

describe.each(rows)("%s", (operationId, operation) => {
  const send = async (make: (valid: string) => RawBody, contentType = "application/json") => {
    const [fixture] = fixturesOf(operationId, world.own);
    const { method, path, body } = toWire(operation, withoutVersion(fixture.input));
    const headers = { "Content-Type": contentType };
    const rawBody = make(JSON.stringify(body));
    const keyText = await world.keys.next();
    const before = await countRows(database);
    const response = await world.call(keyText, method, path, { rawBody, headers });
    expectContract(operation, response);
    const isUnchanged = JSON.stringify(await countRows(database)) === JSON.stringify(before);
    return { response, isUnchanged, asItShouldBe: fixture.status };
  };

  it.each(WRONG_BODIES)("refuses a body that is %s", async (what, make) => {
    const { response, isUnchanged, asItShouldBe } = await send(make);
    if (what === "nothing" && ["triggerRule", "proposeRuleDeactivation"].includes(operationId)) {
      // All their fields are optional (specification, Part 4, "Trigger body").
      expect([response.status, isUnchanged]).toEqual([202, false]);
      return;
    }
    // They have no fields but those of the path.
    if (operationId.startsWith("cancel") && (what === "nothing" || what === "NaN")) {
      expect([response.status, isUnchanged]).toEqual([asItShouldBe, true]);
      return;
    }
    expect([response.status, Object(response.body).error?.code, isUnchanged]).toEqual([
      400,
      "INVALID_PARAMETERS",
      true,
    ]);
  });

  it("reads a body of exactly 64 KiB, and refuses one byte more with 413", async () => {
    const maximumBytes = CARRIES_DOCUMENT.has(operationId) ? MAXIMUM_BYTES_WITH_DOCUMENT : MAXIMUM_BYTES;
    const exact = await send((valid) => valid.padEnd(maximumBytes, " "));
    expect(exact.response.status).toBe(exact.asItShouldBe);
    const more = await send((valid) => valid.padEnd(maximumBytes + 1, " "));
    expect([more.response.status, Object(more.response.body).error?.code, more.isUnchanged]).toEqual([
      413,
      "PAYLOAD_TOO_LARGE",
      true,
    ]);
  });

  it("judges the body, not its label: another content type, a byte order mark", async () => {
    const labeled = await send((valid) => valid, "text/plain");
    expect(labeled.response.status).toBe(labeled.asItShouldBe);
    const marked = await send((valid) => bytes([0xef, 0xbb, 0xbf], valid));
    expect(marked.response.status).toBe(marked.asItShouldBe);
  });

  it("takes no field from the query", async () => {
    const { method, path, body } = toWire(operation, fixturesOf(operationId, world.own)[0].input);
    const keyText = await world.keys.next();
    const before = await countRows(database);
    const response = await world.call(keyText, method, `${path}?simulation=true`, { body });
    expect([response.status, Object(response.body).error?.details]).toEqual([
      400,
      [{ field: "simulation", message: "belongs in the body" }],
    ]);
    expect(await countRows(database)).toEqual(before);
  });
});

it.each(operations.filter(({ method }) => method === "GET").map((one) => [one.operationId, one] as const))(
  "%s refuses a parameter that is given twice, and names it",
  async (operationId, operation) => {
    const { method, path } = toWire(operation, fixturesOf(operationId, world.own)[0].input);
    const fields = Object.keys(operation.input.shape).filter(
      (field) => !operation.listFields.includes(field),
    );
    for (const field of fields) {
      const twice = `${path.split("?")[0]}?${field}=1&${field}=2`;
      const response = await world.call(await world.keys.next(), method, twice);
      expect([response.status, Object(response.body).error?.details], field).toEqual([
        400,
        expect.arrayContaining([{ field, message: "must be given once" }]),
      ]);
    }
  },
);

it("a field that is given twice means the same to us and to the approver", async () => {
  const { operating, taxes } = world.own.ids;
  const key = await world.own.addKey([
    { type: "MANUAL_TRANSFER", entries: [{ source: "ANY", target: "ANY" }], approval: { required: true } },
  ]);
  const rawBody = `{"sourceAccountId":"${operating}","destinationAccountId":"${taxes}","amountInCents":100,"amountInCents":99900}`;
  const response = await world.call(key.text, "POST", "/transfers", { rawBody });
  const { id, amountInCents } = Object(response.body).data;
  const { rows: proposals } = await database.ownerPool.query<{ request: unknown }>(
    "select request from proposals where organization_id = $1 and id = $2",
    [world.own.organizationId, id],
  );
  expect(amountInCents).toBe(99_900);
  expect(proposals).toMatchObject([{ request: { body: { amountInCents: 99_900 } } }]);
});

/** The same edit again and again: each makes a version. */
function withoutVersion({ expectedVersion: _, ...input }: Record<string, unknown>): Record<string, unknown> {
  return input;
}
