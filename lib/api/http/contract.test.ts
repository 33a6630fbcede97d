import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/api/operations/table";
import { createTestApi } from "@/lib/testing/api";
import { expectContract } from "@/lib/testing/api-proof/expect-contract";
import { inputSchemaOf } from "@/lib/testing/api-proof/json-schema-node";
import { ALL_PERMISSIONS, KeyRing } from "@/lib/testing/api-proof/key-ring";
import { fixtures, fixturesOf, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import {
  createOrganizationWithEverything,
  type OrganizationWithEverything,
} from "@/lib/testing/api-proof/organization-with-everything";
import { PERMISSION_MATRIX } from "@/lib/testing/api-proof/permission-matrix";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestServices } from "@/lib/testing/services";

/**
 * The API keeps to its own table: every operation answers a valid request, and refuses, in the status, headers and
 * body that its row promises. What would be lost: a client that was written against the reference breaks.
 */
const rows = operations.map((operation) => [operation.operationId, operation] as const);

/** What valid requests were answered, for the scan at the end. */
const answers: string[] = [];

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

it("every operation has its row of valid requests", () => {
  expect(rows.map(([operationId]) => operationId).filter((name) => !(name in fixtures))).toEqual([]);
});

describe.each(rows)("%s", (operationId, operation) => {
  it("is tried with every field of its input", () => {
    const tried = new Set(fixturesOf(operationId, world).flatMap(({ input }) => Object.keys(input)));
    expect([...tried].sort()).toEqual(Object.keys(inputSchemaOf(operation).properties ?? {}).sort());
  });

  it("answers valid requests as its row says", async () => {
    for (const { input, status } of fixturesOf(operationId, world)) {
      const { method, path, body } = toWire(operation, input);
      const response = await call(await keys.next(), method, path, { body });
      answers.push(response.text);
      expect(response.status, response.text).toBe(status);
      expectContract(operation, response);
    }
  });

  it("says 401 without a key and 403 with a key that may nothing, in the same envelope", async () => {
    const { method, path, body } = toWire(operation, fixturesOf(operationId, world)[0].input);
    const unknown = await call(null, method, path, { body });
    expect([unknown.status, Object(unknown.body).error?.code]).toEqual([401, "UNAUTHORIZED"]);
    expectContract(operation, unknown);
    const nobody = await world.addKey([]);
    const denied = await call(nobody.text, method, path, { body });
    const { otherwise } = PERMISSION_MATRIX[operationId] ?? {};
    expect(denied.status).toBe(
      otherwise ? Number.parseInt(otherwise, 10) : operation.permission === null ? 200 : 403,
    );
    expectContract(operation, denied);
  });

  it("finds nothing under an id that names nothing, and says so with the 404 of its kind", async () => {
    if (!operation.pathParameters) return;
    const { input } = fixturesOf(operationId, world)[0];
    const { notFound } = operation.pathParameters;
    for (const name of Object.keys(operation.pathParameters.schema.shape)) {
      const code = typeof notFound === "string" ? notFound : notFound[name];
      const { method, path, body } = toWire(operation, { ...input, [name]: crypto.randomUUID() });
      const response = await call(await keys.next(), method, path, { body });
      expect([response.status, Object(response.body).error?.code]).toEqual([404, code]);
      expectContract(operation, response);
    }
  });
});

it("no answer of this run holds more of a number on file than its last four digits", async () => {
  const { rows: numbers } = await database.ownerPool.query<{ last4: string }>(
    `select account_number_last4 as last4 from accounts union select routing_number_last4 from accounts
       union select number_last4 from cards`,
  );
  const endings = numbers.flatMap(({ last4 }) => last4 ?? []);
  expect(endings.length).toBeGreaterThan(2);
  const withoutIds = answers.join("\n").replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "");
  for (const ending of endings) expect(withoutIds).not.toMatch(new RegExp(`\\d${ending}(?!\\d)`));
  expect(withoutIds).toMatch(/••••\d{4}"/);
});
