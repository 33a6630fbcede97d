import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { API_BASE_PATH } from "@/lib/api/http/app";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { type Parameter, toOpenApiPath } from "@/lib/api/openapi/document";
import { componentName, type JsonSchema } from "@/lib/api/openapi/json-schema";
import type { Operation } from "@/lib/api/operations/operation";
import { parseSent } from "@/lib/api/operations/parse-sent";
import { operations } from "@/lib/api/operations/table";
import { withInstantsIn } from "@/lib/api/operations/with-instants";
import { ruleActionSchema } from "@/lib/contract/rules/action";
import { ruleConditionsSchema } from "@/lib/contract/rules/condition";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { ruleScheduleSchema, ruleTriggerSchema } from "@/lib/contract/rules/trigger";
import { conforms } from "@/lib/testing/api-proof/conforms";
import { brokenRules, keepRules, RULES_IN_WORDS } from "@/lib/testing/api-proof/rules-in-words";
import { nearMisses, valuesOf } from "@/lib/testing/api-proof/schema-values";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

/**
 * The document against the validator, both ways, over requests made from the document's own schemas: what the document
 * allows the validator accepts, and what the document refuses the validator refuses. Only rules between fields that JSON
 * Schema cannot say are left to words (rules-in-words.ts), and the document has those words.
 */
const document = buildOpenApiDocument(operations, "http://localhost:3000", API_BASE_PATH);
const { schemas } = document.components;
const RUNS = proofSize(150, 10_000);
const TIMEOUT_MS = 600_000;
const rows = operations.map((operation) => [operation.operationId, operation] as const);

describe.each(rows)("%s", { timeout: TIMEOUT_MS }, (_, operation) => {
  const schema = schemaOfInput(operation);

  it("accepts what the document allows", () => {
    let tried = 0;
    fc.assert(
      fc.property(valuesOf(schema, schemas), (value) => {
        const sent = asSent(operation, schema, keepRules(value));
        if (
          !conforms(schema, sent, schemas) ||
          brokenRules({ ...Object(dated(sent)), operationId: operation.operationId }).length > 0
        )
          return;
        tried += 1;
        expect(problemsOf(operation, sent), JSON.stringify(sent)).toEqual([]);
      }),
      { numRuns: RUNS, seed: proofSeed },
    );
    expect(tried).toBeGreaterThan(RUNS / 4);
  });

  it("refuses what the document refuses, and nothing else", () => {
    let refused = 0;
    fc.assert(
      fc.property(nearMisses(schema, schemas), (value) => {
        const sent = asSent(operation, schema, value);
        const isAllowed = conforms(schema, sent, schemas);
        if (!isAllowed) refused += 1;
        const problems = problemsOf(operation, sent);
        const reported = `${JSON.stringify(sent)}: ${JSON.stringify(problems)}`;
        expect(problems.length === 0, reported).toBe(
          isAllowed &&
            brokenRules({ ...Object(dated(sent)), operationId: operation.operationId }).length === 0,
        );
      }),
      { numRuns: RUNS, seed: proofSeed },
    );
    expect(refused).toBeGreaterThan(RUNS / 10);
  });
});

/** The same for the parts of a rule, which whole requests reach too seldom. */
const PARTS: [string, z.ZodType, (part: unknown) => unknown][] = [
  ["RuleTriggerInput", ruleTriggerSchema, (trigger) => ({ trigger })],
  ["RuleScheduleInput", ruleScheduleSchema, (schedule) => ({ trigger: { schedule } })],
  ["RuleActionInput", ruleActionSchema, (action) => action],
  ["RuleConditionsInput", ruleConditionsSchema.nullable(), (conditions) => conditions],
  ["RuleLimitInput", ruleDefinitionSchema.shape.limits, (limit) => limit],
];

it.each(PARTS)(
  "%s allows what its validator does, and nothing else",
  { timeout: TIMEOUT_MS },
  (name, validator, asRequest) => {
    const schema = schemas[name];
    if (!schema) throw new Error(`The document has no ${name}`);
    const inputs = fc.oneof(valuesOf(schema, schemas), nearMisses(schema, schemas));
    fc.assert(
      fc.property(inputs, (part) => {
        const parsed = parseSent(validator, name === "RuleLimitInput" ? [part] : part);
        const problems = "problems" in parsed ? parsed.problems : [];
        // Rules about a whole rule do not bind its actions yet.
        const broken = name === "RuleActionInput" ? [] : brokenRules(asRequest(part));
        expect(problems.length === 0, `${JSON.stringify(part)}: ${JSON.stringify(problems)}`).toBe(
          conforms(schema, part, schemas) && broken.length === 0,
        );
      }),
      { numRuns: RUNS * 6, seed: proofSeed },
    );
  },
);

it.each(RULES_IN_WORDS.map(({ words }) => words))("the document says in words: %s", (words) => {
  expect(JSON.stringify(document)).toContain(JSON.stringify(words).slice(1, -1));
});

/** Path, query and body of an operation as one object. */
function schemaOfInput(operation: Operation): JsonSchema {
  const method = ({ GET: "get", POST: "post", PUT: "put" } as const)[operation.method];
  const described = document.paths[toOpenApiPath(operation.path)]?.[method];
  if (!described) throw new Error(`${operation.operationId} is not in the document`);
  const given = described.requestBody?.content["application/json"].schema ?? {};
  const body = schemas[componentName(given) ?? ""] ?? given;
  const parameters = described.parameters.filter(
    (one): one is Parameter => "in" in one && one.in !== "header",
  );
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return {
    ...body,
    type: "object",
    properties: {
      ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      ...body.properties,
    },
    required: [...required, ...(body.required ?? [])],
    additionalProperties: false,
  };
}

/** A query holds texts only: the value as its field reads them. Bodies stay as they are. */
function asSent(operation: Operation, schema: JsonSchema, value: unknown): unknown {
  if (operation.method !== "GET") return value;
  const fields = Object.entries(Object(value)).flatMap(([name, field]): [string, unknown][] => {
    const texts = (Array.isArray(field) ? field : [field]).filter((one) => typeof one !== "object");
    if (operation.listFields.includes(name)) return [[name, [...new Set(texts.map(String))]]];
    const [text] = texts;
    if (text === undefined) return [];
    const { type } = schema.properties?.[name] ?? {};
    const isNumber = type === "integer" && /^[0-9]{1,15}$/.test(String(text));
    const isFlag = type === "boolean" && ["true", "false"].includes(String(text));
    return [[name, isNumber ? Number(text) : isFlag ? String(text) === "true" : String(text)]];
  });
  return Object.fromEntries(fields);
}

/** With the plain dates of a range as instants, as a request arrives at its operation. */
function dated(sent: unknown): unknown {
  const fields = Object.fromEntries(Object.entries(Object(sent)));
  return "from" in fields || "to" in fields ? withInstantsIn("America/New_York", fields) : sent;
}

function problemsOf(operation: Operation, sent: unknown) {
  const raw = operation.method === "GET" ? mapTexts(dated(sent)) : sent;
  const bound = operation.bind(raw);
  return "problems" in bound ? bound.problems : [];
}

const mapTexts = (sent: unknown): unknown =>
  Object.fromEntries(
    Object.entries(Object(sent)).map(([name, field]) => [name, Array.isArray(field) ? field : String(field)]),
  );
