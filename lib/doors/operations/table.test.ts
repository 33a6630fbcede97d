import { expect, test } from "vitest";
import { operations } from "@/lib/doors/operations/table";

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
