import { z } from "zod";
import type { ComponentSchemas } from "@/lib/api/openapi/component-schemas";
import {
  type MediaType,
  type Parameter,
  pathFieldsOf,
  type Reference,
  toTypeName,
} from "@/lib/api/openapi/document";
import { componentName, type JsonSchema } from "@/lib/api/openapi/json-schema";
import type { Operation } from "@/lib/api/operations/operation";

/** Path, query and header parameters, in this order. */
export function describeParameters(
  operation: Operation,
  schemas: ComponentSchemas,
): (Parameter | Reference)[] {
  const pathFields = pathFieldsOf(operation.path);
  const queryFields =
    operation.method === "GET"
      ? Object.keys(operation.input.shape).filter((name) => !pathFields.includes(name))
      : [];
  const headers = operation.isIdempotent ? ["IdempotencyKey", "CalledReason"] : ["CalledReason"];
  return [
    ...pathFields.map((name) => describeParameter(operation, name, "path", schemas)),
    ...queryFields.map((name) => describeParameter(operation, name, "query", schemas)),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function describeParameter(
  operation: Operation,
  name: string,
  place: "path" | "query",
  schemas: ComponentSchemas,
): Parameter {
  const field = fieldOf(operation, name);
  const context = `${toTypeName(operation.operationId)}${toTypeName(name)}`;
  const { isRequired } = schemas.convert(field, "input", context);
  const { description, ...schema } = convertText(field, schemas, context);
  const example = operation.example.request[name];
  return {
    name,
    in: place,
    required: place === "path" || isRequired,
    ...(description && { description }),
    schema,
    ...(example !== undefined && { example: readExample(example, schema) }),
  };
}

/**
 * Path and query are text; a reader wants to know what the text means. If JSON can express the result (a number),
 * that is the schema; otherwise (a moment in time), the text's is.
 */
function convertText(field: z.ZodType, schemas: ComponentSchemas, context: string): JsonSchema {
  try {
    return schemas.convert(field, "query", context).value;
  } catch {
    return schemas.convert(field, "input", context).value;
  }
}

/** The body: every field not in the path. Null for `GET`. */
export function describeBody(operation: Operation, schemas: ComponentSchemas): MediaType | null {
  if (operation.method === "GET") return null;
  const name = `${toTypeName(operation.operationId)}Body`;
  const pathFields = pathFieldsOf(operation.path);
  const { value } = schemas.convert(operation.input, "input", name);
  const isInPath = (field: string) => pathFields.includes(field);
  const whole = schemas.get(componentName(value) ?? "") ?? value;
  const schema =
    value.$ref && pathFields.length === 0 ? value : schemas.add(name, omitFields(whole, isInPath));
  const fields = Object.entries(operation.example.request).filter(([field]) => !isInPath(field));
  return { schema, example: Object.fromEntries(fields) };
}

/** Whether a request must have a body: one without required fields may omit it. */
export function isBodyRequired(operation: Operation): boolean {
  const pathFields = pathFieldsOf(operation.path);
  return Object.keys(operation.input.shape).some(
    (name) => !pathFields.includes(name) && !fieldOf(operation, name).safeParse(undefined).success,
  );
}

function omitFields(schema: JsonSchema, isOmitted: (field: string) => boolean): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !isOmitted(name));
  const { required, ...rest } = schema;
  const stillRequired = required?.filter((name) => !isOmitted(name)) ?? [];
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...(stillRequired.length > 0 && { required: stillRequired }),
  };
}

function fieldOf(operation: Operation, name: string): z.ZodType {
  const field = operation.input.shape[name] ?? operation.pathParameters?.schema.shape[name];
  if (field instanceof z.ZodType) return field;
  throw new Error(`${operation.operationId} has no field ${name}`);
}

/** Examples are written as sent over the wire. */
function readExample(example: unknown, schema: JsonSchema): unknown {
  if (typeof example !== "string") return example;
  if (schema.type === "integer" || schema.type === "number") return Number(example);
  return schema.type === "boolean" ? example === "true" : example;
}
