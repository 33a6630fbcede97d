import { expect, test } from "vitest";
import { requestWords } from "@/app/audit/_components/audit-words";
import { operations } from "@/lib/api/operations/table";

test("the log names every operation in words, also those that the specification's actions leave out", () => {
  const unnamed = operations
    .map(({ auditAction: action, method, path }) => ({
      action,
      method,
      path: `/platform/v1${path.replace(/:\w+/g, "0f8b")}?page=2`,
    }))
    .map(requestWords)
    .filter((words) => words.includes("/"));
  expect(unnamed).toEqual([]);
});

test("a request to no operation is shown by its method and path", () => {
  expect(requestWords({ action: null, method: "POST", path: "/platform/v1/payee" })).toBe("POST /payee");
});
