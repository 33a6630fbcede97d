import { describe, expect, test } from "vitest";
import { z } from "zod";
import { guidedTools, ruleGuideTool } from "@/lib/api/mcp/guided-tools";
import { listResources, readResource } from "@/lib/api/mcp/resources";
import { EXAMPLE_ACCOUNTS, RULE_EXAMPLES } from "@/lib/api/mcp/rule-examples";
import { toolOperations } from "@/lib/api/operations/table";
import { ERROR_STATUS } from "@/lib/contract/error";
import { ruleActionSchema } from "@/lib/contract/rules/action";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { ruleTriggerSchema } from "@/lib/contract/rules/trigger";
import { checkActivation } from "@/lib/engine/check-activation";

const textOf = (uri: string) => readResource(uri)?.text ?? "";

describe.each(listResources().map((resource) => [resource.uri, resource] as const))("%s", (uri, resource) => {
  test("is there to be read, under the type that the list gives", () => {
    expect(readResource(uri)).toMatchObject({ uri, mimeType: resource.mimeType });
    expect(textOf(uri).length).toBeGreaterThan(1_000);
    expect(textOf(uri).length).toBeLessThan(40_000);
  });

  test("names tools, and resources, that there are", () => {
    const tools = [
      ...toolOperations.map(({ operationId }) => operationId),
      ...[ruleGuideTool, ...guidedTools].map(({ name }) => name),
    ];
    const named =
      textOf(uri).match(/\b(?:list|get|create|update|trigger|connect|add|issue|contact)[A-Z]\w+/g) ?? [];
    expect(tools).toEqual(expect.arrayContaining(named));
    const resources = textOf(uri).match(/sluice:\/\/[\w/]+/g) ?? [];
    expect(listResources().map((one) => one.uri)).toEqual(expect.arrayContaining(resources));
  });

  test("has no route and no header in it, which agents do not have", () => {
    expect(textOf(uri)).not.toMatch(/\b(GET|POST|PUT) \/|idempotency-key|undefined|\[object/);
  });
});

test("an address that there is not is nothing, and no file", () => {
  expect(readResource("sluice://rules/../../etc/passwd")).toBeNull();
  expect(readResource("file:///etc/passwd")).toBeNull();
});

describe("the examples", () => {
  const fenced = [...textOf("sluice://rules/examples").matchAll(/```json\n([\s\S]*?)\n```/g)];

  test("are all in the text", () => {
    expect(fenced).toHaveLength(RULE_EXAMPLES.length);
  });

  test.each(fenced.map(([, json = ""], index) => [RULE_EXAMPLES[index]?.title, json] as const))(
    "%s: can be written and activated unchanged",
    (_, json) => {
      const definition = ruleDefinitionSchema.parse(JSON.parse(json));
      const checks = checkActivation({
        ruleId: "00000000-0000-4000-8000-0000000000ff",
        definition,
        otherActiveRules: [],
        accounts: Object.fromEntries(EXAMPLE_ACCOUNTS.map(({ id, name }) => [id, factsOf(name)])),
        nowAt: "2026-11-20T12:00:00.000Z",
        nextRunAt: "2027-01-20T14:00:00.000Z",
      });
      expect(checks.filter(({ outcome }) => outcome === "BLOCKS")).toEqual([]);
    },
  );
});

function factsOf(name: string) {
  const isDebt = name === "Visa" || name === "Car loan";
  return {
    name,
    type: isDebt
      ? ("EXTERNAL_ACCOUNT" as const)
      : name === "Client payments"
        ? ("INCOME_SOURCE" as const)
        : ("POD" as const),
    externalAccountType: isDebt ? ("LIABILITY" as const) : null,
    isClosed: false,
    balanceInCents: 0,
    availableInCents: 0,
    floorInCents: null,
    onItsWayInCents: 0,
    nextPaymentMinimumInCents: 0,
    lastStatementBalanceInCents: 0,
    interestRatePercentage: null,
  };
}

describe("the schema", () => {
  const schema = z.fromJSONSchema(JSON.parse(textOf("sluice://rules/schema")));

  test.each(RULE_EXAMPLES.map(({ title, definition }) => [title, definition] as const))(
    "accepts: %s",
    (_, definition) => {
      expect(schema.safeParse(definition).error?.issues ?? []).toEqual([]);
    },
  );

  test("refuses what createRule refuses", () => {
    const [example] = RULE_EXAMPLES;
    expect(schema.safeParse({ ...example?.definition, steps: [] }).success).toBe(false);
    expect(schema.safeParse({ ...example?.definition, trigger: { type: "WHENEVER" } }).success).toBe(false);
  });
});

describe("the specification", () => {
  const text = textOf("sluice://rules/specification");

  test("explains every trigger and action in a sentence", () => {
    const shapes = [...ruleTriggerSchema.options, ...ruleActionSchema.options];
    for (const shape of shapes) {
      expect(text).toMatch(new RegExp(`\\*\\*\`${shape.shape.type.value}\`\\*\\*: .+\\.`));
    }
  });

  const [example] = RULE_EXAMPLES;
  const [action] = example?.definition.steps[0]?.actions ?? [];
  const isAccepted = (change: object) =>
    ruleDefinitionSchema.safeParse({ ...example?.definition, ...change }).success;

  test("is right about what is refused beyond the fields", () => {
    expect(isAccepted({})).toBe(true);
    expect(isAccepted({ steps: [{ actions: [{ ...action, limitId: "none" }] }] })).toBe(false);
    const limit = { id: "a", period: "DAY", amountInCents: 100 };
    expect(isAccepted({ limits: [limit, limit] })).toBe(false);
    expect(
      isAccepted({ steps: [{ actions: [{ ...action, destinationAccountId: action?.sourceAccountId }] }] }),
    ).toBe(false);
    expect(
      isAccepted({
        steps: [
          {
            actions: [
              { ...action, percentage: 60 },
              { ...action, percentage: 60 },
            ],
          },
        ],
      }),
    ).toBe(false);
    expect(isAccepted({ color: "green" })).toBe(false);
  });
});

test("every refusal is in the table with what to do", () => {
  for (const code of Object.keys(ERROR_STATUS)) {
    expect(textOf("sluice://api/errors")).toMatch(new RegExp(`\\| \`${code}\` \\| .+ \\| .+ \\|`));
  }
});
