import { describe, expect, it } from "vitest";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { operations } from "@/lib/api/operations/table";
import { eventTypeSchema, webhookEventSchema } from "@/lib/contract/webhooks";
import { signDelivery } from "@/lib/core/webhooks/sign-delivery";

/** A receiver that was made from the document has to fit what the worker sends. */
const document = buildOpenApiDocument(operations, "https://sluice.test", "/platform/v1");

it("describes every event that is sent, and no other", () => {
  expect(Object.keys(document.webhooks)).toEqual(eventTypeSchema.options);
});

describe.each(eventTypeSchema.options)("%s", (type) => {
  const webhook = document.webhooks[type]?.post;

  it("has the body that is sent", () => {
    const { schema, example } = webhook?.requestBody.content["application/json"] ?? {};
    expect(schema).toEqual({ $ref: "#/components/schemas/WebhookEvent" });
    expect(webhookEventSchema.parse(example).type).toBe(type);
  });

  it("has the headers that are sent, the signature in the form in which it is made", () => {
    const [eventId, signature] = webhook?.parameters ?? [];
    expect([eventId?.name, signature?.name]).toEqual(["X-Service-Event-Id", "X-Service-Signature"]);
    const { header } = signDelivery("whsec_test", "{}", new Date(1_795_182_012_000));
    expect(header).toMatch(new RegExp(String(signature?.schema.pattern)));
    expect(signature?.example).toMatch(new RegExp(String(signature?.schema.pattern)));
    expect(webhook?.security, "no API key goes to a receiver").toEqual([]);
  });

  it("names an operation that gives the resource", () => {
    const [, operationId, path] = /`(\w+)`, `GET (\S+)`/.exec(webhook?.description ?? "") ?? [];
    expect(document.paths[path ?? ""]?.get?.operationId).toBe(operationId);
  });

  it("says what is received, what switches off, and that the rest comes again", () => {
    expect(Object.keys(webhook?.responses ?? {}).sort()).toEqual(["2XX", "410", "default"]);
  });
});

it("lets events grow: a receiver that is made from the schema takes fields that it does not know", () => {
  const { WebhookEvent } = document.components.schemas;
  expect(WebhookEvent?.required).toEqual(["id", "type", "resource", "created_at"]);
  expect(WebhookEvent).not.toHaveProperty("additionalProperties");
  expect(WebhookEvent?.properties?.resource).not.toHaveProperty("additionalProperties");
});
