import { ComponentSchemas } from "@/lib/api/openapi/component-schemas";
import { describeData, describeOperation } from "@/lib/api/openapi/describe-operation";
import { describeWebhooks, WEBHOOKS_TAG } from "@/lib/api/openapi/describe-webhooks";
import type { Method, OpenApiDocument, Response } from "@/lib/api/openapi/document";
import { HEADER_PARAMETERS, RESPONSE_HEADERS } from "@/lib/api/openapi/headers";
import type { JsonSchema } from "@/lib/api/openapi/json-schema";
import { toOpenApiPath } from "@/lib/api/openapi/names";
import { TAG_DESCRIPTIONS } from "@/lib/api/openapi/tags";
import type { Operation } from "@/lib/api/operations/operation";
import { API_VERSION } from "@/lib/contract/api-version";
import { ERROR_STATUS } from "@/lib/contract/error";

const METHODS: Record<Operation["method"], Method> = { GET: "get", POST: "post", PUT: "put" };

const DESCRIPTION = `Sluice stands between programs and an organization's accounts: a program proposes a movement of money, a person sees it with its reason and its consequences, and approves or denies it.

Every success is \`{ "data": …, "requestId": … }\`, every refusal \`{ "error": { "code", "message", "details" } }\`. Amounts are whole cents, times are ISO 8601 in UTC, ids are UUIDs. A path or method that is not listed here is answered with 404 in plain text.

Within version 1 answers may gain fields, and enums values; nothing is taken away without notice.`;

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
  // The answers before the requests: they get the short names.
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
        apiKey: { type: "http", scheme: "bearer", description: "An API key, made in the dashboard." },
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

const ERROR_CODE: JsonSchema = {
  type: "string",
  enum: Object.keys(ERROR_STATUS),
  description: "Stable and for programs. More may be added.",
};

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
          description: "Each thing that is wrong with the request, where there are several to name.",
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
