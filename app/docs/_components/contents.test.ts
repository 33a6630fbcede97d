import { expect, it } from "vitest";
import { type ReferenceEntry, searchReference } from "@/app/docs/_components/contents";

const entry = (title: string, words = "", method: string | null = null): ReferenceEntry => ({
  href: `/docs/${title}`,
  title,
  method,
  chapter: "Anything",
  words,
});
const entries = [
  entry("List transfers", "/transfers accountId pageSize", "GET"),
  entry("Make a transfer", "/transfers amountInCents", "POST"),
  entry("Idempotency", "idempotency-key retry"),
  entry("Errors", "IDEMPOTENCY_KEY_MISMATCH MAXIMUM_AMOUNT_EXCEEDED"),
];
const find = (query: string) => searchReference(entries, query).map(({ title }) => title);

it("finds by title, method, path, field and code, ignoring case, and by parts of words", () => {
  expect(find("make")).toEqual(["Make a transfer"]);
  expect(find("post transfer")).toEqual(["Make a transfer"]);
  expect(find("CENTS")).toEqual(["Make a transfer"]);
  expect(find("key_mismatch")).toEqual(["Errors"]);
});

it("lists matching titles first, otherwise in the order of the contents", () => {
  expect(find("idem")).toEqual(["Idempotency", "Errors"]);
  expect(find("transfers")).toEqual(["List transfers", "Make a transfer"]);
});

it("finds nothing for an empty query", () => {
  expect(find("  ")).toEqual([]);
  expect(find("webhook")).toEqual([]);
});
