import { expect, it } from "vitest";
import { buildTrialRequest, type TrialInput } from "@/app/docs/_components/trial-request";
import type { TrialField } from "@/lib/contract/reference";

const field = (name: string, place: TrialField["place"], kind: TrialField["kind"]): TrialField => ({
  name,
  place,
  kind,
  isRequired: false,
  choices: [],
  initial: "",
  placeholder: "",
});

const input = (
  fields: TrialField[],
  values: Record<string, string>,
  more: Partial<TrialInput> = {},
): TrialInput => ({
  method: "POST",
  basePath: "/platform/v1",
  path: "/things/{id}",
  trial: { fields: [field("id", "path", "TEXT"), ...fields], isIdempotent: true, dryRunField: null },
  values: { id: "a/b?c", ...values },
  isDryRun: true,
  ...more,
});

it("puts each field into path, query or body, in its type", () => {
  const fields = [
    field("amountInCents", "body", "NUMBER"),
    field("tags", "body", "LIST"),
    field("isOpen", "body", "BOOLEAN"),
    field("steps", "body", "JSON"),
    field("empty", "body", "TEXT"),
    field("type", "query", "LIST"),
  ];
  const request = buildTrialRequest(
    input(fields, {
      amountInCents: " 425000 ",
      tags: "a, b",
      isOpen: "false",
      steps: '[{"x":1}]',
      empty: "  ",
      type: "POD,INCOME_SOURCE",
    }),
  );
  expect(request).toEqual({
    url: "/platform/v1/things/a%2Fb%3Fc?type=POD&type=INCOME_SOURCE",
    body: JSON.stringify(
      { amountInCents: 425_000, tags: ["a", "b"], isOpen: false, steps: [{ x: 1 }] },
      null,
      2,
    ),
  });
});

it("is a dry run unless that is switched off, and says so either way", () => {
  const trial = { fields: [], isIdempotent: true, dryRunField: "simulation" };
  expect(buildTrialRequest(input([], {}, { path: "/x", trial }))).toMatchObject({
    body: '{\n  "simulation": true\n}',
  });
  expect(buildTrialRequest(input([], {}, { path: "/x", trial, isDryRun: false }))).toMatchObject({
    body: '{\n  "simulation": false\n}',
  });
});

it("leaves an invalid number to the API", () => {
  const request = buildTrialRequest(
    input([field("amountInCents", "body", "NUMBER")], { amountInCents: "much" }),
  );
  expect(request).toMatchObject({ body: '{\n  "amountInCents": "much"\n}' });
});

it("names the field that cannot be sent", () => {
  expect(buildTrialRequest(input([], { id: " " }))).toMatchObject({ field: "id" });
  expect(buildTrialRequest(input([field("steps", "body", "JSON")], { steps: "{" }))).toMatchObject({
    field: "steps",
  });
});

it("sends no body with a GET", () => {
  expect(buildTrialRequest(input([], {}, { method: "GET" }))).toMatchObject({ body: null });
});
