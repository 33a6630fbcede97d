import { beforeAll, describe, expect, it } from "vitest";
import { API_BASE_PATH } from "@/lib/api/http/app";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { toOpenApiPath } from "@/lib/api/openapi/document";
import type { Operation } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";
import type { ApiResponse } from "@/lib/testing/api";
import { findViolations } from "@/lib/testing/api-proof/expect-contract";
import { fixturesOf, toWire } from "@/lib/testing/api-proof/operation-fixtures";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { useTestDatabase } from "@/lib/testing/database";

/**
 * Answers against the OpenAPI document as a reader has it: every status that is answered is documented, with a body of
 * its schema and the headers that are named.
 */
const rows = operations.map((operation) => [operation.operationId, operation] as const);
const document = buildOpenApiDocument(operations, "http://localhost:3000", API_BASE_PATH);
const { schemas, responses, headers } = document.components;

const database = useTestDatabase();
let world: ProofWorld;
beforeAll(async () => {
  world = await createProofWorld(database);
});

describe.each(rows)("%s", (operationId, operation) => {
  const send = async (keyText: string | null, input: Record<string, unknown>, more: object = {}) => {
    const { method, path, body } = toWire(operation, input);
    return world.call(keyText, method, path, { body, ...more });
  };

  it("answers valid requests as it is documented", async () => {
    for (const { input } of fixturesOf(operationId, world.own)) {
      expectDocumented(operation, await send(await world.keys.next(), input));
    }
  });

  it("refuses as it is documented: no key, no permission, a field that is none, an id of nothing, a large body", async () => {
    const [{ input }] = fixturesOf(operationId, world.own);
    const nobody = await world.own.addKey([]);
    const keyText = await world.keys.next();
    expectDocumented(operation, await send(null, input));
    expectDocumented(operation, await send(nobody.text, input));
    expectDocumented(operation, await send(keyText, { ...input, unexpected: 1 }));
    const nowhere = Object.keys(operation.pathParameters?.schema.shape ?? {}).map((name) => [
      name,
      crypto.randomUUID(),
    ]);
    if (nowhere.length > 0) {
      expectDocumented(operation, await send(keyText, { ...input, ...Object.fromEntries(nowhere) }));
    }
    if (operation.method !== "GET") {
      expectDocumented(operation, await send(keyText, input, { rawBody: " ".repeat(70_000) }));
    }
  });
});

function expectDocumented(operation: Operation, response: ApiResponse): void {
  const method = ({ GET: "get", POST: "post", PUT: "put" } as const)[operation.method];
  const described = document.paths[toOpenApiPath(operation.path)]?.[method]?.responses[response.status];
  const found = described && "$ref" in described ? responses[nameIn(described.$ref)] : described;
  if (!found) throw new Error(`${operation.operationId} answers ${response.status}, which is not documented`);
  const { schema } = found.content["application/json"];
  expect(findViolations(schema, response.body, schemas), response.text).toEqual([]);
  const code = Object(response.body).error?.code;
  const codes: readonly string[] =
    document.paths[toOpenApiPath(operation.path)]?.[method]?.["x-errors"] ?? [];
  if (code) expect(codes).toContain(code);
  for (const [name, reference] of Object.entries(found.headers)) {
    // Of a replay alone.
    if (name === "Idempotent-Replayed") continue;
    const value = response.headers.get(name);
    expect(value, `${name} of ${operation.operationId} ${response.status}`).not.toBeNull();
    expect(headers[nameIn(reference.$ref)]).toBeDefined();
  }
}

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);
