import { fromJsonSchema } from "@modelcontextprotocol/server";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, test } from "vitest";
import { RULE_EXAMPLES } from "@/lib/api/mcp/rule-examples";
import { ACTION_FIELDS, describeRightShape } from "@/lib/api/mcp/rule-grammar";
import { tools } from "@/lib/api/mcp/tools";
import { type PermissionInput, permissionSchema } from "@/lib/contract/permissions";
import { ruleActionSchema } from "@/lib/contract/rules/action";
import { ALL_PERMISSIONS } from "@/lib/testing/api-proof/key-ring";
import { createProofWorld, type ProofWorld } from "@/lib/testing/api-proof/world";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp, type TestMcp } from "@/lib/testing/mcp";

/** A list of tools is in a model's context for the whole conversation: these are bounds on what it costs. */
const MAXIMUM_FOR_MODELS = 6_500;
const MAXIMUM_IN_ALL = 16_000;
const MAXIMUM_OF_A_SCOPED_KEY = 1_500;

const database = useTestDatabase();
let world: ProofWorld;
let mcp: TestMcp;
beforeAll(async () => {
  world = await createProofWorld(database);
  mcp = createTestMcp(world.services);
});

const tokensOf = (value: unknown) => countTokens(JSON.stringify(value));
const forModels = (listed: { name: string; description?: unknown; inputSchema?: unknown }[]) =>
  listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
const listFor = async (permissions: PermissionInput[]) =>
  mcp.listTools((await world.own.addKey(permissions)).text);

test("all tools together fit beside a conversation", async () => {
  const listed = await listFor(ALL_PERMISSIONS);
  expect(tokensOf(forModels(listed))).toBeLessThanOrEqual(MAXIMUM_FOR_MODELS);
  expect(tokensOf(listed)).toBeLessThanOrEqual(MAXIMUM_IN_ALL);
});

const SINGLE: PermissionInput[] = [...ALL_PERMISSIONS, { type: "CONTROL_SANDBOX" }];

test("every permission is among those counted", () => {
  const types = permissionSchema.options.map(({ shape }) => shape.type.value);
  expect(SINGLE.map(({ type }) => type).sort()).toEqual([...types].sort());
});

test.each(SINGLE.map((permission) => [permission.type, permission] as const))(
  "a key with %s alone lists few tools",
  async (_, permission) => {
    const listed = forModels(await listFor([permission]));
    expect(listed.length).toBeGreaterThan(3);
    expect(tokensOf(listed)).toBeLessThanOrEqual(MAXIMUM_OF_A_SCOPED_KEY);
  },
);

test("a key that reads and moves, as most programs do, lists at most what two permissions may", async () => {
  const types: readonly string[] = ["READ_ACCOUNTS", "READ_TRANSFERS", "MANUAL_TRANSFER"];
  const listed = await listFor(ALL_PERMISSIONS.filter(({ type }) => types.includes(type)));
  expect(tokensOf(forModels(listed))).toBeLessThanOrEqual(2 * MAXIMUM_OF_A_SCOPED_KEY);
});

interface Schema {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  required?: string[];
  enum?: unknown[];
  additionalProperties?: unknown;
}

/** Each schema inside one, itself first, with how many objects and lists it is inside of. */
function* schemasIn(schema: Schema, depth = 1): Generator<{ schema: Schema; depth: number }> {
  yield { schema, depth };
  for (const field of Object.values(schema.properties ?? {})) yield* schemasIn(field, depth + 1);
  if (schema.items) yield* schemasIn(schema.items, depth + 1);
  for (const variant of schema.anyOf ?? []) yield* schemasIn(variant, depth);
}

/** As OpenAI's SDKs make a schema strict: every field required, and null where it was optional. */
function toStrict(schema: Schema): Schema {
  const { required = [], properties, items, anyOf, ...rest } = schema;
  const strict: Schema = { ...rest };
  if (anyOf) strict.anyOf = anyOf.map(toStrict);
  if (items) strict.items = toStrict(items);
  if (properties === undefined) return strict;
  strict.properties = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      required.includes(name) ? toStrict(field) : { anyOf: [toStrict(field), { type: "null" }] },
    ]),
  );
  return { ...strict, required: Object.keys(properties), additionalProperties: false };
}

const inputs = [...tools.values()].map(
  ({ definition }) => [definition.name, definition.inputSchema as Schema] as const,
);

describe.each(inputs)("the arguments of %s", (name, inputSchema) => {
  test("are of OpenAI's strict subset once every field is required", () => {
    const strict = toStrict(inputSchema);
    expect(strict.type).toBe("object");
    let properties = 0;
    for (const { schema, depth } of schemasIn(strict)) {
      const keywords = ["type", "description", "properties", "required", "additionalProperties", "items"];
      expect([...keywords, "enum", "anyOf"]).toEqual(expect.arrayContaining(Object.keys(schema)));
      expect(depth).toBeLessThanOrEqual(10);
      properties += Object.keys(schema.properties ?? {}).length;
      if (schema.type !== "object") continue;
      expect(schema.additionalProperties).toBe(false);
      expect(schema.required).toEqual(Object.keys(schema.properties ?? {}));
    }
    expect(properties).toBeLessThanOrEqual(5_000);
  });

  test("are of the subset that Gemini's function declarations take", () => {
    for (const { schema, depth } of schemasIn(inputSchema)) {
      const keywords = ["type", "description", "properties", "required", "items", "enum", "anyOf"];
      // Its adapters take this one away, and refuse it inside.
      const allowed = depth === 1 ? [...keywords, "additionalProperties"] : keywords;
      expect(allowed).toEqual(expect.arrayContaining(Object.keys(schema)));
      if (schema.anyOf === undefined) {
        expect(["object", "array", "string", "number", "integer", "boolean"]).toContain(schema.type);
      }
      if (schema.type === "object" && depth > 1) expect(schema.properties).not.toEqual({});
      if (schema.type === "array") expect(schema.items).toBeDefined();
      for (const value of schema.enum ?? []) expect(value).toMatch(/./);
    }
  });

  test("are what Anthropic's tools take", () => {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(inputSchema).toMatchObject({ type: "object", properties: expect.anything() });
    expect(Object.keys(inputSchema)).not.toContain("anyOf");
    for (const { schema } of schemasIn(inputSchema)) {
      for (const field of Object.keys(schema.properties ?? {}))
        expect(field).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    }
    // Valid 2020-12, which it checks.
    expect(() => fromJsonSchema(Object(inputSchema))).not.toThrow();
  });
});

/** As the list of tools names it: with conditions as text. */
const asListed = (definition: unknown) => ({
  rule: JSON.parse(JSON.stringify(definition), (name, value: unknown) =>
    name === "conditions" ? JSON.stringify(value) : value,
  ),
});

test("the outline of a rule takes every example", async () => {
  const { inputSchema } = tools.get("createRule")?.definition ?? {};
  for (const { definition } of RULE_EXAMPLES) {
    const { issues = [] } = await fromJsonSchema(Object(inputSchema))["~standard"].validate(
      asListed(definition),
    );
    expect(issues).toEqual([]);
  }
});

test("the short grammar names the fields that each action takes beside what all take", () => {
  const shared = [
    "type",
    "sourceAccountId",
    "group",
    "upTo",
    "limitId",
    "description",
    "destinationAccountId",
  ];
  for (const { shape } of ruleActionSchema.options) {
    const type = shape.type.value;
    const own = Object.keys(shape).filter((name) => !shared.includes(name));
    for (const name of own) expect(ACTION_FIELDS[type]).toContain(name);
    if (own.length === 0) expect(ACTION_FIELDS[type]).toBe("");
  }
});

describe("the examples", () => {
  let reserve: string;
  let carLoan: string;
  beforeAll(async () => {
    reserve = await world.own.addAccount({ name: "Reserve", type: "POD", balanceInCents: 0 });
    carLoan = await world.own.addAccount({
      name: "Car loan",
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
      balanceInCents: 900_000,
    });
  });

  test("are ten", () => expect(RULE_EXAMPLES).toHaveLength(10));

  test.each(RULE_EXAMPLES.map(({ title, definition }) => [title, definition] as const))(
    "%s: is created through the tool",
    async (_, definition) => {
      const { income, operating, taxes, visa } = world.own.ids;
      const mine = [income, operating, taxes, reserve, visa, carLoan];
      const text = JSON.stringify(definition).replace(
        /00000000-0000-4000-8000-00000000000(\d)/g,
        (_whole, digit: string) => mine[Number(digit) - 1] ?? "",
      );
      const { text: key } = await world.own.addKey(ALL_PERMISSIONS);
      const written: unknown[] = [];
      for (const sent of [{ rule: JSON.parse(text) }, asListed(JSON.parse(text))]) {
        const { isError, text: answer, structured } = await mcp.callTool(key, "createRule", sent);
        expect([isError, answer]).toEqual([false, expect.stringContaining("Written: rule")]);
        written.push(Object(structured.data).steps);
      }
      expect(written[0]).toEqual(written[1]);
    },
  );
});

describe("a refusal teaches", () => {
  const written = async (name: string, sent: Record<string, unknown>) => {
    const { text: key } = await world.own.addKey(ALL_PERMISSIONS);
    const { isError, text, structured } = await mcp.callTool(key, name, sent);
    return { isError, text, details: Object(structured.error).details, nextStep: structured.nextStep };
  };

  test("by the path in the arguments, and with what an action of that type takes", async () => {
    const { operating, taxes } = world.own.ids;
    const action = { type: "PERCENTAGE", sourceAccountId: operating, destinationAccountId: taxes, group: 0 };
    const rule = {
      name: "Shares",
      trigger: { type: "MANUAL", accountId: operating },
      steps: [{ actions: [action] }],
    };
    const { isError, text, details, nextStep } = await written("createRule", { rule });
    expect(isError).toBe(true);
    expect(details).toContainEqual(expect.objectContaining({ field: "rule.steps.0.actions.0.percentage" }));
    expect(text).toContain(
      "steps.0.actions.0, of type PERCENTAGE, has sourceAccountId, destinationAccountId, group, percentage, of (INCOMING_AMOUNT or SOURCE_BALANCE)",
    );
    expect(nextStep).toMatch(/^Fix the arguments/);
  });

  test("by saying what there is where a path leads nowhere", async () => {
    const { rule: id } = world.own.ids;
    const set = [{ path: "steps.7.actions.0.amountInCents", value: 100 }];
    const { isError, details } = await written("updateRule", { id, set });
    expect(isError).toBe(true);
    expect(details).toEqual([
      {
        field: "steps.7.actions.0.amountInCents",
        message: expect.stringMatching(/^leads nowhere: steps has/),
      },
    ]);
  });

  test("and writes nothing for a path to what a call names beside the rule, or to what no rule has", async () => {
    const { rule: id } = world.own.ids;
    const versions = async () => {
      const { rows } = await database.ownerPool.query(
        "select count(*)::int as count from rule_versions where organization_id = $1 and rule_id = $2",
        [world.own.organizationId, id],
      );
      return rows[0].count;
    };
    const before = await versions();
    const paths = [
      "id",
      "rule.id",
      "expectedVersion",
      "status",
      "version",
      "constructor",
      "steps.__proto__",
      "steps.length",
    ];
    for (const path of paths) {
      const { isError, details } = await written("updateRule", { id, set: [{ path, value: 1 }] });
      expect([path, isError, details[0].field]).toEqual([path, true, path.replace("rule.", "")]);
    }
    expect(await versions()).toBe(before);
  });

  test("a rule as text, a rule beside its fields, and none at all", async () => {
    for (const rule of ["Pay the rent", "[]", "7", "null"]) {
      expect((await written("createRule", { rule })).details[0]).toEqual({
        field: "rule",
        message: "must be an object, or the JSON of one",
      });
    }
    const { details } = await written("createRule", { rule: "{}" });
    expect(details.map(({ field }: { field: string }) => field)).toEqual([
      "rule.name",
      "rule.trigger",
      "rule.steps",
    ]);
    const beside = await written("createRule", { rule: { name: "A" }, name: "B" });
    expect(beside.details).toContainEqual({ field: "name", message: "must be inside rule" });
    expect((await written("createRule", {})).details[0].field).toBe("rule");
  });

  test("has a shape for each part of a rule", () => {
    expect(describeRightShape("trigger.schedule.cron", {})).toContain("frequency");
    expect(describeRightShape("trigger.type", {})).toContain("ON_FUNDS_TRANSFERRED");
    expect(describeRightShape("steps.0.conditions.all", {})).toContain("valueFact");
    expect(describeRightShape("limits.0.id", {})).toContain("limitId");
    expect(describeRightShape("name", {})).toBeNull();
  });
});
