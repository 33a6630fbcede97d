import { describe, expect, it } from "vitest";
import { API_BASE_PATH } from "@/lib/api/http/app";
import { describeAssistants } from "@/lib/api/mcp/tools";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { describeField, type Schemas } from "@/lib/api/openapi/describe-field";
import { describeReference } from "@/lib/api/openapi/describe-reference";
import { operations } from "@/lib/api/operations/table";

const reference = describeReference(
  buildOpenApiDocument(operations, "https://sluice.test", API_BASE_PATH),
  "/openapi.json",
  describeAssistants("https://sluice.test"),
);
const views = reference.chapters.flatMap((chapter) => chapter.operations);
const viewOf = (operationId: string) => views.find((view) => view.operationId === operationId);

describe("the reference", () => {
  it("shows every operation once, with all its fields, answers and errors", () => {
    expect(views.map((view) => view.operationId).sort()).toEqual(
      operations.map((row) => row.operationId).sort(),
    );
    for (const row of operations) {
      const view = viewOf(row.operationId);
      const fields = [...(view?.pathFields ?? []), ...(view?.queryFields ?? []), ...(view?.bodyFields ?? [])];
      expect(fields.map(({ name }) => name).sort()).toEqual(Object.keys(row.input.shape).sort());
      expect(view?.successes.length).toBeGreaterThan(0);
      expect(view?.errors.map(({ code }) => code)).toEqual(expect.arrayContaining([...row.errors]));
      expect(view?.answerFields.length).toBeGreaterThan(0);
    }
  });

  it("says types, limits and defaults in words", () => {
    const transfer = viewOf("createTransfer");
    expect(transfer?.bodyFields).toMatchObject([
      { name: "sourceAccountId", type: "uuid", isRequired: true },
      { name: "destinationAccountId" },
      { name: "amountInCents", type: "integer, 100 to 100,000,000,000,000", isRequired: true },
      { name: "description", type: "string", isRequired: false, pattern: "^[A-Za-z0-9 ]{1,10}$" },
      { name: "simulation", type: "boolean" },
      { name: "reasonForApproval", type: "string, up to 1,000" },
      { name: "externalId" },
      { name: "metadata" },
    ]);
    const page = viewOf("listTransfers")?.queryFields.find(({ name }) => name === "pageSize");
    expect(page).toMatchObject({ type: "integer, 1 to 100", defaultValue: "10", isRequired: false });
    const source = transfer?.answerFields.find(({ name }) => name === "source");
    expect(source?.children.map(({ name }) => name)).toEqual(["id", "name", "type", "isDeleted"]);
    expect(source?.children[0]?.type).toBe("uuid or null");
  });

  it("opens the shapes among which to choose, and not what holds itself", () => {
    const schemas: Schemas = {
      Condition: {
        type: "object",
        properties: {
          all: { type: "array", items: { $ref: "#/components/schemas/Condition" } },
          trigger: {
            oneOf: [
              { type: "object", properties: { type: { const: "MANUAL" } } },
              { type: "object", properties: { type: { const: "CRON" }, cron: { type: "string" } } },
            ],
          },
        },
      },
    };
    const field = describeField("when", { $ref: "#/components/schemas/Condition" }, true, schemas);
    const [all, trigger] = field.children;
    expect(all).toMatchObject({ type: "list of object", children: [] });
    expect(trigger).toMatchObject({
      type: "object, one of several shapes",
      children: [{ name: "MANUAL" }, { name: "CRON", children: [{ name: "type" }, { name: "cron" }] }],
    });
  });

  it("tries a transfer as a dry run, and fills in no ids of others", () => {
    const trial = viewOf("createTransfer")?.trial;
    expect(trial).toMatchObject({ isIdempotent: true, dryRunField: "simulation" });
    expect(trial?.fields.map(({ name, kind, initial }) => [name, kind, initial])).toEqual([
      ["sourceAccountId", "TEXT", ""],
      ["destinationAccountId", "TEXT", ""],
      ["amountInCents", "NUMBER", "425000"],
      ["description", "TEXT", "Q4 TAX"],
      ["reasonForApproval", "TEXT", "Sets aside the estimated tax for the fourth quarter."],
      ["externalId", "TEXT", ""],
      ["metadata", "JSON", ""],
    ]);
  });

  it("writes samples that run unchanged, without a key in them", () => {
    const samples = viewOf("listTransfers")?.samples;
    expect(samples?.curl).toBe(
      `curl 'https://sluice.test/platform/v1/transfers?accountId=019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11&status=COMPLETE' \\\n  -H "Authorization: Bearer $SLUICE_KEY"`,
    );
    expect(samples?.typescript).toContain("sluice.listTransfers({\n  accountId: [");
  });

  it("names the intent in samples of writes: a key generated per call protects nothing", () => {
    const samples = viewOf("createTransfer")?.samples;
    expect(samples?.curl).toContain('-H "idempotency-key: one-per-intent-kept-for-retries"');
    expect(samples?.typescript).toContain('{ idempotencyKey: "one-per-intent-kept-for-retries" }');
    expect(samples?.python).toContain('"idempotency-key": "one-per-intent-kept-for-retries",');
    expect(samples?.go).toContain('"idempotency-key", "one-per-intent-kept-for-retries"');
    expect(samples?.curl).not.toContain("$(");
  });

  it("shows an answer with the status that it comes with", () => {
    const { status, text } = viewOf("createTransfer")?.samples.answer ?? { status: 0, text: "{}" };
    expect([status, JSON.parse(text).data.status]).toEqual([202, "APPROVAL_PENDING"]);
    expect(viewOf("createRule")?.samples.answer.status).toBe(201);
  });
});
