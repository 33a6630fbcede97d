import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { API_BASE_PATH } from "@/lib/api/http/app";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { GENERATED_CLIENT, renderClient, renderComment, renderType } from "@/lib/api/openapi/render-client";
import { operations } from "@/lib/api/operations/table";
import { projectPath } from "@/lib/platform/project-path";

it("the committed client is what the table of operations gives", async () => {
  const committed = await readFile(projectPath(GENERATED_CLIENT), "utf8");
  const fresh = renderClient(buildOpenApiDocument(operations, "https://sluice.test", API_BASE_PATH));
  expect(committed, "run `npm run client:generate` and commit what it writes").toBe(fresh);
});

it.each([
  [{ type: ["string", "null"] }, "string | null"],
  [{ anyOf: [{ $ref: "#/components/schemas/Balance" }, { type: "null" }] }, "Balance | null"],
  [{ type: "array", items: { type: "string", enum: ["A", "B"] } }, '("A" | "B")[]'],
  [{ type: "object", additionalProperties: { type: "integer" } }, "Record<string, number>"],
  [{ oneOf: [{ const: "A" }, { type: "boolean" }] }, '"A" | boolean'],
  [{}, "unknown"],
])("renders %j", (schema, type) => {
  expect(renderType(schema)).toBe(type);
});

it("refuses a type that it does not know, instead of leaving it out", () => {
  expect(() => renderType({ type: "decimal" })).toThrow("decimal");
});

it("lets no description end its comment", () => {
  expect(renderComment("a */ b", "")).toEqual(["/** a *\\/ b */"]);
});
