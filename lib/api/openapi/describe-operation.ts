import type { ComponentSchemas } from "@/lib/api/openapi/component-schemas";
import { describeErrors, errorsOf } from "@/lib/api/openapi/describe-errors";
import { describeBody, describeParameters, isBodyRequired } from "@/lib/api/openapi/describe-input";
import type { OperationObject, Response } from "@/lib/api/openapi/document";
import { headerReferences, RESPONSE_HEADERS } from "@/lib/api/openapi/headers";
import type { JsonSchema } from "@/lib/api/openapi/json-schema";
import { toTypeName } from "@/lib/api/openapi/names";
import type { Operation } from "@/lib/api/operations/operation";

/** What an operation answers as `data`, as a reference to a component with a name. */
export function describeData(operation: Operation, schemas: ComponentSchemas): JsonSchema {
  const name = `${toTypeName(operation.operationId)}Data`;
  const { value } = schemas.convert(operation.output, "output", name);
  return value.$ref ? value : schemas.add(name, value);
}

export function describeOperation(
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
          // The example is one of the first kind of success; for another it would be wrong.
          content: { "application/json": { schema, ...(status === first.status && { example: value }) } },
        },
      ];
    }),
  );
}
