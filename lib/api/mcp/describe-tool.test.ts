import { expect, test } from "vitest";
import { describeArguments } from "@/lib/api/mcp/input-schema";
import { describeTool, nameTools } from "@/lib/api/mcp/tools";
import { operations } from "@/lib/api/operations/table";

test.each([
  ["poll `GET /transfers/{id}` until", "poll `getTransfer` until"],
  ["poll `GET /rules/{ruleId}/executions/{id}` with", "poll `getRuleExecution` with"],
  ["Take an id from `GET /accounts`.", "Take an id from `listAccounts`."],
  ["With an `idempotency-key`, a request", "With an `idempotencyKey`, a request"],
  ["listed with `executionMode=SIMULATION`.", 'listed with `executionMode: "SIMULATION"`.'],
  ["With `simulation: true` it is", "With `simulation: true` it is"],
  ["no route at all: `GET /moon`", "no route at all: `GET /moon`"],
])("an agent is told of tools and arguments, which it has, and not of routes: %s", (told, expected) => {
  expect(nameTools(told)).toBe(expected);
});

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "the description of %s sends nobody to a route or a header, and fits into a list of many",
  (_, operation) => {
    const description = describeTool(operation);
    expect(description).not.toMatch(/`(GET|POST|PUT) |header|idempotency-key|x-called-reason|--/);
    expect(description).toContain("Use when ");
    expect(description.length).toBeLessThan(1_200);
  },
);

test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "every argument of %s says what it is: an agent that guesses sends the wrong id",
  (_, operation) => {
    const { properties } = describeArguments(operation);
    const silent = Object.entries(properties).filter(([, field]) => !field.description && !field.$ref);
    expect(silent.map(([name]) => name)).toEqual([]);
  },
);
