import { expect, test } from "vitest";
import { operations } from "@/lib/api/operations/table";

/** A reference whose examples are refused would cost every reader an hour. */
test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "the example of %s is a request that is accepted and an answer of its schema",
  (_, operation) => {
    const bound = operation.bind(operation.example.request);
    expect(bound).not.toHaveProperty("problems");
    const answer = operation.output.safeParse(operation.example.answer);
    expect(answer.error?.issues ?? []).toEqual([]);
  },
);

test("no two operations share a name, or a method and path", () => {
  const names = operations.map((operation) => operation.operationId);
  const routes = operations.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(routes).size).toBe(routes.length);
});

/** A tool that is chosen wrongly moves money that nobody asked to move, or leaves the question unanswered. */
test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "%s says when it is the right tool, and when another is",
  (_, { tool, summary }) => {
    expect(tool.useWhen).toMatch(/^Use when .+\.$/);
    expect(tool.useWhen).toMatch(/\bNot (for|to)\b/);
    expect(tool.useWhen.length).toBeLessThan(420);
    expect(summary.length).toBeLessThan(60);
  },
);

test("no two operations share a title", () => {
  const titles = operations.map((operation) => operation.summary);
  expect(new Set(titles).size).toBe(titles.length);
});

test("no tool that writes calls itself a reading one, and what moves money calls itself destructive", () => {
  for (const { operationId, method, permission, tool } of operations) {
    expect(tool.hints.readOnly).toBe(method === "GET");
    if (tool.hints.readOnly) expect(tool.hints).toMatchObject({ destructive: false, idempotent: true });
    // What asks people for a mandate moves nothing.
    const isOfMandates = /Mandates?$/.test(operationId);
    const movesMoney = !isOfMandates && (permission === "MANUAL_TRANSFER" || permission === "TRIGGER_RULES");
    // What takes back moves nothing, and again changes nothing more.
    if (operationId === "addTransferDocument")
      expect(tool.hints).toMatchObject({ destructive: false, idempotent: true });
    else if (operationId.startsWith("cancel"))
      expect(tool.hints).toMatchObject({ destructive: true, idempotent: true });
    else if (movesMoney)
      expect(tool.hints).toMatchObject({ destructive: true, idempotent: false, openWorld: true });
  }
});

test("the tools that are named beside a tool exist", () => {
  const names = [
    ...operations.map((operation) => operation.operationId),
    "connectExternalAccount",
    "addBusinessBeneficiary",
  ];
  for (const { tool } of operations) {
    const named =
      tool.useWhen.match(/\b(?:list|get|create|update|trigger|connect|add|issue|contact)[A-Z]\w+/g) ?? [];
    expect(names).toEqual(expect.arrayContaining(named));
  }
});
