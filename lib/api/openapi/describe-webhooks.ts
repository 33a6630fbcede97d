import type { ComponentSchemas } from "@/lib/api/openapi/component-schemas";
import type { OpenApiDocument, Parameter, WebhookObject } from "@/lib/api/openapi/document";
import type { JsonSchema } from "@/lib/api/openapi/json-schema";
import { toTypeName } from "@/lib/api/openapi/names";
import { EVENT_HELP } from "@/lib/contract/webhook-help";
import {
  DELIVERY_TIMEOUT_MS,
  EVENT_ID_HEADER,
  eventTypeSchema,
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  type WebhookEvent,
  webhookEventSchema,
} from "@/lib/contract/webhooks";

export const WEBHOOKS_TAG = {
  name: "Webhooks",
  description: "What Sluice sends to the endpoints that are registered in the dashboard.",
};

const EXAMPLE: WebhookEvent = {
  id: "019aa2d4-1c25-7d10-8a4e-3b7c5f9e2d1e",
  type: "transfer.changed",
  resource: { type: "transfer", id: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16" },
  created_at: "2026-11-20T13:40:12.345Z",
};

const HEADERS: Parameter[] = [
  {
    name: EVENT_ID_HEADER,
    in: "header",
    required: true,
    description: "The event's id, the same in every attempt: drop what was handled before.",
    schema: { type: "string", format: "uuid" },
    example: EXAMPLE.id,
  },
  {
    name: SIGNATURE_HEADER,
    in: "header",
    required: true,
    description: `\`v1\` is HMAC-SHA256, keyed with the endpoint's signing secret, over \`<t>.<raw body>\`. Compare it in constant time, and refuse a \`t\` that is more than ${SIGNATURE_TOLERANCE_SECONDS} seconds from your clock.`,
    schema: { type: "string", pattern: "^t=[0-9]+,v1=[0-9a-f]{64}$" },
    example: "t=1795182012,v1=9f2c4e0b7a1d3c5e8f60718293a4b5c6d7e8f90123456789abcdef0123456789",
  },
];

const RESPONSES: WebhookObject["responses"] = {
  "2XX": {
    description: `Received. Answer within ${DELIVERY_TIMEOUT_MS / 1_000} seconds, and work afterwards.`,
  },
  "410": { description: "Nobody receives here any more: the endpoint is switched off." },
  default: { description: "Not received, as a redirect and a time-out: it is sent again, over 24 hours." },
};

/** The requests that Sluice sends, one for each type of event; all have the same body. */
export function describeWebhooks(schemas: ComponentSchemas): OpenApiDocument["webhooks"] {
  const { value } = schemas.convert(webhookEventSchema, "output", "WebhookEvent");
  const schema = schemas.add("WebhookEvent", value);
  return Object.fromEntries(
    eventTypeSchema.options.map((type) => [type, { post: describeWebhook(type, schema) }]),
  );
}

function describeWebhook(type: WebhookEvent["type"], schema: JsonSchema): WebhookObject {
  const { when, operationId, path } = EVENT_HELP[type];
  const [resource = ""] = type.split(".");
  const example = { ...EXAMPLE, type, resource: { ...EXAMPLE.resource, type: resource } };
  return {
    operationId: `receive${toTypeName(operationId.replace(/^get/, ""))}Changed`,
    tags: ["Webhooks"],
    summary: when.replace(/\.$/, ""),
    description: `It says that something changed, not what it is now: read it with \`${operationId}\`, \`GET ${path}\`. It may come more than once, and after a later one.`,
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { "application/json": { schema, example } } },
    responses: RESPONSES,
  };
}
