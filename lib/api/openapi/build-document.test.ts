import { BaseResolver, createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { pathFieldsOf, toOpenApiPath } from "@/lib/api/openapi/document";
import type { JsonSchema } from "@/lib/api/openapi/json-schema";
import { type Operation, operation, REPLACES } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";
import { ERROR_STATUS } from "@/lib/contract/error";

const build = (of: readonly Operation[] = operations) =>
  buildOpenApiDocument(of, "https://sluice.northwind.test", "/platform/v1");

/** Redocly's strictest ruleset; it also validates examples. */
async function lint(document: object): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      // The project has not chosen a license, and the document does not invent one.
      "info-license": "off",
    },
  });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: "openapi.json",
    config,
    externalRefResolver: new BaseResolver(),
  });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

describe("the OpenAPI document", () => {
  it("passes a strict linter, examples included", async () => {
    expect(await lint(build())).toEqual([]);
  });

  it("is OpenAPI 3.1 by the specification's own schema", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...build() });
    expect({ valid, errors, version: validator.version }).toEqual({
      valid: true,
      errors: undefined,
      version: "3.1",
    });
  });

  it("is the same, byte for byte, however often it is built", () => {
    expect(JSON.stringify(build())).toBe(JSON.stringify(build()));
  });

  it.each(operations.map((row) => [row.operationId, row] as const))(
    "describes %s with all that it takes and answers",
    (_, row) => {
      const document = build();
      const method = row.method === "GET" ? "get" : row.method === "POST" ? "post" : "put";
      const described = document.paths[toOpenApiPath(row.path)]?.[method];
      expect(described).toMatchObject({ operationId: row.operationId, "x-permission": row.permission });
      for (const { status } of row.successes) expect(described?.responses).toHaveProperty(String(status));
      for (const status of ["400", "401", "429", "500"]) expect(described?.responses).toHaveProperty(status);
      expect("403" in (described?.responses ?? {})).toBe(
        row.permission !== null || row.errors.some((code) => ERROR_STATUS[code] === 403),
      );
      expect("413" in (described?.responses ?? {})).toBe(row.method !== "GET");
      expect(described?.["x-errors"]).toEqual(expect.arrayContaining([...row.errors]));
      const named = (described?.parameters ?? []).flatMap((one) => ("name" in one ? [one.name] : []));
      expect(named).toEqual(expect.arrayContaining(pathFieldsOf(row.path)));
      expect(described?.requestBody === undefined).toBe(row.method === "GET");
      // All fields of a trigger are optional (specification, Part 4, "Trigger body"); a cancellation has none.
      expect(described?.requestBody?.required ?? null).toBe(
        row.method === "GET" ? null : !/^(triggerRule|cancel|proposeRuleDeactivation)/.test(row.operationId),
      );
    },
  );
});

/** A row as another one could be written: every trap of the conversion at once. */
const condition = z.strictObject({
  fact: z.enum(["BALANCE", "DATE"]).default("BALANCE"),
  get any() {
    return z.array(condition).optional();
  },
});
const trap = operation({
  operationId: "replaceTrap",
  tag: "Rules",
  method: "PUT",
  path: "/traps/:trapId/parts/:partId",
  summary: "Replace a trap",
  description: "Only in this test.",
  tool: { useWhen: "Use when this test runs. Not for anything else.", hints: REPLACES },
  example: {
    request: {
      trapId: "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11",
      partId: "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a12",
      shape: { name: "One" },
      condition: {},
    },
    answer: { shape: null, conditions: [{ fact: "DATE" }], shares: { BALANCE: 0.5 } },
  },
  permission: null,
  auditAction: null,
  pathParameters: { schema: z.object({ trapId: z.uuid(), partId: z.uuid() }), notFound: "RULE_NOT_FOUND" },
  input: z
    .strictObject({
      trapId: z.uuid(),
      partId: z.uuid(),
      shape: z.strictObject({ name: z.string().trim(), size: z.int().default(3) }).meta({ id: "TrapShape" }),
      condition: condition.nullable(),
    })
    .refine(() => true),
  listFields: [],
  output: z.strictObject({
    shape: z
      .strictObject({ name: z.string(), size: z.int() })
      .meta({ id: "TrapShape" })
      .nullable()
      .describe("Its shape."),
    conditions: z.array(condition),
    shares: z.record(z.string(), z.number()),
  }),
  successes: [
    { status: 200, when: "Replaced." },
    { status: 200, when: "It was like this already." },
  ],
  errors: ["RULE_VERSION_CONFLICT"],
  isIdempotent: false,
  run: async () => ({ kind: "DATA", data: null }),
});

describe("a row with every trap", () => {
  const document = build([...operations, trap]);
  const body = document.components.schemas.ReplaceTrapBody;
  const data = document.components.schemas.ReplaceTrapData;

  it("passes the same linter and schema", async () => {
    expect(await lint(document)).toEqual([]);
    expect((await new Validator().validate({ ...document })).valid).toBe(true);
  });

  it("keeps what is in the path out of the body", () => {
    expect(Object.keys(body?.properties ?? {})).toEqual(["shape", "condition"]);
    expect(body?.required).toEqual(["shape", "condition"]);
  });

  it("says null of a named shape in one union with the reference", () => {
    expect(data?.properties?.shape).toEqual({
      description: "Its shape.",
      oneOf: [{ $ref: "#/components/schemas/TrapShape" }, { type: "null" }],
    });
  });

  it("gives a shape two names where what is sent differs from what is answered", () => {
    expect(document.components.schemas.TrapShape?.required).toEqual(["name", "size"]);
    expect(document.components.schemas.TrapShapeInput).toMatchObject({
      required: ["name"],
      additionalProperties: false,
    });
    expect(body?.properties?.shape).toEqual({ $ref: "#/components/schemas/TrapShapeInput" });
  });

  it("lets answers grow: only what is sent is closed", () => {
    expect(data).not.toHaveProperty("additionalProperties");
    expect(body?.additionalProperties).toBe(false);
  });

  it("merges two successes of one status", () => {
    const described = document.paths["/traps/{trapId}/parts/{partId}"]?.put;
    expect(described?.responses["200"]).toMatchObject({ description: "Replaced. It was like this already." });
  });
});

describe("generators of clients", () => {
  /** Every schema of the document with its place, as they read it. */
  function everySchema(): { place: string; schema: JsonSchema }[] {
    const found: { place: string; schema: JsonSchema }[] = [];
    const walk = (value: unknown, place: string): void => {
      if (typeof value !== "object" || value === null) return;
      if (!Array.isArray(value)) found.push({ place, schema: value });
      for (const [name, child] of Object.entries(value))
        if (name !== "example" && name !== "examples") walk(child, `${place}/${name}`);
    };
    walk(build(), "");
    return found;
  }
  const schemas = everySchema();
  const placesOf = (isWrong: (schema: JsonSchema) => boolean) =>
    schemas.flatMap(({ place, schema }) => (isWrong(schema) ? [place] : []));
  const alternativesOf = ({ anyOf = [], oneOf = [] }: JsonSchema) => [anyOf, oneOf].flat();

  it("read every integer that can pass 2^31 in 64 bits", () => {
    const isShort = ({ type, format, maximum }: JsonSchema) =>
      type === "integer" && format === undefined && (maximum ?? Number.POSITIVE_INFINITY) >= 2 ** 31;
    expect(placesOf(isShort)).toEqual([]);
    expect(placesOf(({ format }) => format === "int64").length).toBeGreaterThan(50);
  });

  it("find a name for every object of a union", () => {
    const hasInline = (schema: JsonSchema) =>
      alternativesOf(schema).some((one) => one.properties !== undefined);
    expect(placesOf(hasInline)).toEqual([]);
    expect(placesOf((schema) => alternativesOf(schema).some((one) => one.$ref)).length).toBeGreaterThan(20);
    const isNumbered = (name: string) => /\d$/.test(name);
    expect(Object.keys(build().components.schemas).filter(isNumbered)).toEqual([]);
  });

  it("find null beside a reference only under oneOf", () => {
    const isLost = ({ anyOf = [] }: JsonSchema) => anyOf.some((one) => one.$ref !== undefined);
    expect(placesOf(isLost)).toEqual([]);
  });

  it("find no exclusive bound, which one of them refuses", () => {
    const isExclusive = ({ exclusiveMinimum, exclusiveMaximum }: JsonSchema) =>
      exclusiveMinimum !== undefined || exclusiveMaximum !== undefined;
    expect(placesOf(isExclusive)).toEqual([]);
  });

  it("read every id as one", () => {
    const named = schemas.flatMap(({ place, schema }) =>
      Object.entries(schema.properties ?? {})
        .filter(([name]) => /Ids?$/.test(name) && !/^(idempotency|request|limit|external)/.test(name))
        .map(([name, field]) => ({ place: `${place}/${name}`, field })),
    );
    const wrong = named.filter(({ field }) => !/"format":"uuid"/.test(JSON.stringify(field)));
    expect(wrong.map(({ place }) => place)).toEqual([]);
  });
});

test("two shapes of one name are refused: a reader would see one, a caller get the other", () => {
  const rename = (row: Operation, operationId: string, output: z.ZodType): Operation => ({
    ...row,
    operationId,
    path: `/${operationId}`,
    output,
  });
  const shape = (size: z.ZodType) => z.strictObject({ part: z.strictObject({ size }).meta({ id: "Twin" }) });
  expect(() =>
    build([rename(trap, "one", shape(z.int())), rename(trap, "other", shape(z.string()))]),
  ).toThrow("Two different schemas are called Twin");
});
