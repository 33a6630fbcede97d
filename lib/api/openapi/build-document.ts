import { ComponentSchemas } from "@/lib/api/openapi/component-schemas";
import { describeBody, describeParameters, isBodyRequired } from "@/lib/api/openapi/describe-input";
import {
  codeToTypeName,
  type Example,
  type Method,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type Reference,
  type Response,
  toOpenApiPath,
  toTypeName,
  type WebhookObject,
} from "@/lib/api/openapi/document";
import { HEADER_PARAMETERS, headerReferences, RESPONSE_HEADERS } from "@/lib/api/openapi/headers";
import { COMPONENTS_PREFIX, growing, type JsonSchema } from "@/lib/api/openapi/json-schema";
import { describeText } from "@/lib/api/openapi/text-patterns";
import { API_VERSION, type Operation, type OperationTag } from "@/lib/api/operations/operation";
import { ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { PLAIN_TEXT_FORMAT } from "@/lib/contract/plain-text";
import {
  askedEventTypeSchema,
  DELIVERY_TIMEOUT_MS,
  EVENT_HELP,
  EVENT_ID_HEADER,
  eventTypeSchema,
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  type WebhookEvent,
  webhookEventSchema,
} from "@/lib/contract/webhooks";

const WEBHOOKS_TAG = {
  name: "Webhooks",
  description: "What Sluice sends to the endpoints registered in the dashboard.",
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
    description: "The event's id, the same in every attempt: skip events that you have handled.",
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
  "410": { description: "This endpoint receives no more events: Sluice disables it." },
  default: { description: "Not received, like a redirect or a timeout: retried for 24 hours." },
};

/** The chapters of the reference. */
const TAG_DESCRIPTIONS: Record<OperationTag, string> = {
  Caller: "Who calls, what it may do, and what limits it.",
  Accounts: "Pods and income sources that Sluice manages, and connected accounts that it only sees.",
  Transfers: "Movements in or out of a managed account.",
  Proposals: "What programs asked an owner or co-owner to decide, of every kind.",
  Mandates: "What people let a key do without asking, within limits that they signed.",
  Transactions: "What cards paid and received, and transactions on connected accounts.",
  Rules: "Triggers, conditions and actions that move money automatically once a person has activated them.",
  "Financial profile": "Income, bills, fees, savings and spending, as sums and never as single transactions.",
  "Audit log": "What API keys did, and why they said they did it.",
  Sandbox:
    "Drives a sandbox from a test: clock, deposits, purchases, returns, and decisions as a test person.",
};

const METHODS: Record<Operation["method"], Method> = { GET: "get", POST: "post", PUT: "put" };

const DESCRIPTION = `Sluice controls how programs move an organization's money: a program proposes a transfer, a person sees it with its reason and consequences, and approves or denies it.

Every success is \`{ "data": …, "requestId": … }\`, every refusal \`{ "error": { "code", "message", "details" } }\`. Amounts are whole cents, times are ISO 8601 in UTC, ids are UUIDs. A path or method that is not listed here is answered with 404 in plain text.

In a request, null for an optional field counts as absent.

Within version 1 answers may gain fields, and enums values; nothing is taken away without notice. Enums of answers are written as \`x-extensible-enum\`: accept values that are not in it.`;

/**
 * The OpenAPI 3.1 document of the operation table. The same table gives the same document, byte for byte.
 * @param appUrl public address without a trailing slash
 */
export function buildOpenApiDocument(
  operations: readonly Operation[],
  appUrl: string,
  basePath: string,
): OpenApiDocument {
  const schemas = new ComponentSchemas();
  const sharedResponses = new Map<string, Response>();
  schemas.add("ErrorCode", ERROR_CODE);
  schemas.add("ErrorAnswer", ERROR_ANSWER);
  // The header that says why refers to it.
  schemas.add("PlainText", describeText(PLAIN_TEXT_FORMAT));
  // Answers before requests: they get the short names.
  const data = operations.map((operation) => describeData(operation, schemas));
  const webhooks = describeWebhooks(schemas);
  const paths: OpenApiDocument["paths"] = {};
  for (const [index, operation] of operations.entries()) {
    const path = toOpenApiPath(operation.path);
    paths[path] = {
      ...paths[path],
      [METHODS[operation.method]]: describeOperation(operation, data[index] ?? {}, schemas, sharedResponses),
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Sluice",
      version: API_VERSION,
      summary: "Control over money flows: programs propose, people approve, the books balance.",
      description: DESCRIPTION,
    },
    servers: [{ url: `${appUrl}${basePath}`, description: "This installation" }],
    security: [{ apiKey: [] }],
    tags: [...describeTags(operations), WEBHOOKS_TAG],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key, created in the dashboard." },
      },
      parameters: HEADER_PARAMETERS,
      headers: RESPONSE_HEADERS,
      responses: Object.fromEntries([...sharedResponses].sort(([a], [b]) => (a < b ? -1 : 1))),
      schemas: schemas.toObject(),
    },
  };
}

/** In the order of the table. */
function describeTags(operations: readonly Operation[]) {
  return [...new Set(operations.map(({ tag }) => tag))].map((tag) => ({
    name: tag,
    description: TAG_DESCRIPTIONS[tag],
  }));
}

const ERROR_CODE: JsonSchema = growing({
  type: "string",
  enum: Object.keys(ERROR_STATUS),
  description: "Stable and for programs. More may be added.",
});

const ERROR_ANSWER: JsonSchema = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { $ref: "#/components/schemas/ErrorCode" },
        message: { type: "string", description: "For people: what is wrong, and what would be right." },
        details: {
          type: "array",
          description: "Each problem of the request, when there are several.",
          items: {
            type: "object",
            properties: {
              field: { type: "string", description: "The path of the field, e.g. `amountInCents`." },
              message: { type: "string" },
            },
            required: ["field", "message"],
          },
        },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

/** An operation's `data`, as a reference to a named component. */
function describeData(operation: Operation, schemas: ComponentSchemas): JsonSchema {
  const name = `${toTypeName(operation.operationId)}Data`;
  const { value } = schemas.convert(operation.output, "output", name);
  return value.$ref ? value : schemas.add(name, value);
}

function describeOperation(
  operation: Operation,
  data: JsonSchema,
  schemas: ComponentSchemas,
  sharedResponses: Map<string, Response>,
): OperationObject {
  const { operationId, tag, summary, description } = operation;
  const body = describeBody(operation, schemas);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    "x-permission": operation.permission,
    "x-errors": errorsOf(operation),
    parameters: describeParameters(operation, schemas),
    ...(body && {
      requestBody: { required: isBodyRequired(operation), content: { "application/json": body } },
    }),
    responses: { ...describeSuccesses(operation, data), ...describeErrors(operation, sharedResponses) },
  };
}

function describeSuccesses(operation: Operation, data: JsonSchema): Record<string, Response> {
  const schema: JsonSchema = {
    type: "object",
    properties: { data, requestId: { type: "string", description: "The id of the request." } },
    required: ["data", "requestId"],
  };
  const [first] = operation.successes;
  const statuses = [...new Set(operation.successes.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status): [string, Response] => {
      const successes = operation.successes.filter((success) => success.status === status);
      const value = { data: operation.example.answer, requestId: RESPONSE_HEADERS["X-Request-Id"].example };
      return [
        String(status),
        {
          description: successes.map(({ when }) => when).join(" "),
          headers: headerReferences(status, operation.isIdempotent),
          // The example belongs to the first kind of success; it would be wrong for another.
          content: { "application/json": { schema, ...(status === first.status && { example: value }) } },
        },
      ];
    }),
  );
}

/** Every code that an operation may answer: its own, and those of the pipeline before and after it. */
function errorsOf(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ["UNAUTHORIZED", "RATE_LIMIT_EXCEEDED", "INVALID_PARAMETERS"];
  if (operation.method !== "GET") codes.push("PAYLOAD_TOO_LARGE");
  if (operation.permission) codes.push("ACCESS_DENIED");
  codes.push(...notFoundCodes(operation), ...operation.errors, "UNEXPECTED_ERROR");
  return [...new Set(codes)];
}

function notFoundCodes({ pathParameters }: Operation): ErrorCode[] {
  if (!pathParameters) return [];
  const { notFound } = pathParameters;
  return typeof notFound === "string" ? [notFound] : Object.values(notFound);
}

/** An operation's error responses by status. Operations share a response with a single code. */
function describeErrors(
  operation: Operation,
  shared: Map<string, Response>,
): Record<string, Response | Reference> {
  const all = errorsOf(operation);
  const statuses = [...new Set(all.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);
  const responses = statuses.map((status): [string, Response | Reference] => {
    const codes = all.filter((code) => ERROR_STATUS[code] === status);
    const response = describeError(status, codes);
    const [code, another] = codes;
    if (!code || another) return [String(status), response];
    const name = codeToTypeName(code);
    shared.set(name, response);
    return [String(status), { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(responses);
}

function describeError(status: number, codes: ErrorCode[]): Response {
  const examples = codes.map((code): [string, Example] => [
    code,
    { summary: ERROR_HELP[code].meaning, value: exampleOf(code) },
  ]);
  return {
    description: codes
      .map((code) => `\`${code}\`: ${ERROR_HELP[code].meaning} ${ERROR_HELP[code].action}`)
      .join("\n\n"),
    headers: headerReferences(status, false),
    content: {
      "application/json": {
        schema: { $ref: `${COMPONENTS_PREFIX}ErrorAnswer` },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function exampleOf(code: ErrorCode) {
  const message = ERROR_HELP[code].example;
  if (code !== "INVALID_PARAMETERS") return { error: { code, message } };
  const [field = "", problem = ""] = message.replace(/\.$/, "").split(": ");
  return { error: { code, message, details: [{ field, message: problem }] } };
}

/** The requests that Sluice sends, one per event type; all have the same body. */
function describeWebhooks(schemas: ComponentSchemas): OpenApiDocument["webhooks"] {
  const { value } = schemas.convert(webhookEventSchema, "output", "WebhookEvent");
  const schema = schemas.add("WebhookEvent", value);
  return Object.fromEntries(
    eventTypeSchema.options.map((type) => [type, { post: describeWebhook(type, schema) }]),
  );
}

const isAsked = (type: WebhookEvent["type"]) => askedEventTypeSchema.safeParse(type).success;

/** `card_transaction` → `CardTransaction`. */
function toReceiverName(resource: string): string {
  return resource
    .split("_")
    .map((word) => toTypeName(word))
    .join("");
}

function describeWebhook(type: WebhookEvent["type"], schema: JsonSchema): WebhookObject {
  const { when, operationId, path } = EVENT_HELP[type];
  const [resource = ""] = type.split(".");
  const example = { ...EXAMPLE, type, resource: { ...EXAMPLE.resource, type: resource } };
  return {
    operationId: `receive${toReceiverName(resource)}Changed`,
    tags: ["Webhooks"],
    summary: when.replace(/\.$/, ""),
    description: `${isAsked(type) ? "Only for endpoints that ask for it. " : ""}It says that something changed, not its current state: read that with \`${operationId}\`, \`GET ${path}\`. It may arrive more than once, and out of order.`,
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { "application/json": { schema, example } } },
    responses: RESPONSES,
  };
}
