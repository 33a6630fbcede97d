import type { z } from "zod";
import type { ObjectSchema } from "@/lib/api/mcp/input-schema";
import { convertSchema } from "@/lib/api/openapi/convert-schema";
import type { JsonSchema } from "@/lib/api/openapi/json-schema";

/** Deep enough for the fields of a list's items; what is deeper is named and not described. */
const DEPTH = 4;

/**
 * The shape of a tool's structured content: that of the API's answer, `{ data, requestId }`, or of a refusal,
 * `{ error, requestId }`. Loose on purpose: nothing is required and anything may be added, so that a client that checks
 * answers does not refuse a new field, nor the refusal that it should read.
 */
export function describeStructuredContent(output: z.ZodType): ObjectSchema {
  const { value, definitions } = convertSchema(output, "output");
  return {
    type: "object",
    properties: {
      data: loosen(value, definitions, DEPTH),
      requestId: { type: "string", description: "Quote it when you report a problem." },
      error: {
        type: "object",
        description: "Instead of data, where the call was refused.",
        properties: { code: { type: "string" }, message: { type: "string" }, details: { type: "array" } },
      },
    },
  };
}

/** What reads well of a schema: kinds, names and descriptions. */
function loosen(schema: JsonSchema, definitions: Record<string, JsonSchema>, depth: number): JsonSchema {
  const { $ref, ...own } = schema;
  const target = $ref === undefined ? own : { ...definitions[$ref.replace("#/$defs/", "")], ...own };
  const { type, description } = target;
  const loose: JsonSchema = { ...(type && { type }), ...(description && { description }) };
  if (depth === 0) return loose;
  if (target.properties) {
    loose.properties = Object.fromEntries(
      Object.entries(target.properties).map(([name, field]) => [name, loosen(field, definitions, depth - 1)]),
    );
  }
  if (target.items) loose.items = loosen(target.items, definitions, depth - 1);
  if (target.anyOf) loose.anyOf = target.anyOf.map((one) => loosen(one, definitions, depth - 1));
  return loose;
}
