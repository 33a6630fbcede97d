import { type Schemas, withoutNull } from "@/lib/api/openapi/describe-field";
import { componentName, type JsonSchema } from "@/lib/api/openapi/json-schema";
import type { TrialField, TrialView } from "@/lib/contract/views/reference-view";

/** The specification's own word for a dry run (Part 4). */
const DRY_RUN_FIELD = "simulation";

export interface TriedField {
  name: string;
  place: TrialField["place"];
  schema: JsonSchema;
  isRequired: boolean;
  example: unknown;
}

/** How a reader tries an operation: a control per field, filled in from the example. */
export function describeTrial(
  fields: readonly TriedField[],
  isIdempotent: boolean,
  schemas: Schemas,
): TrialView {
  const isDryRunField = ({ name, place, schema }: TriedField) =>
    place === "body" && name === DRY_RUN_FIELD && schema.type === "boolean";
  return {
    fields: fields
      .filter((field) => !isDryRunField(field))
      .map((field) => describeTriedField(field, schemas)),
    isIdempotent,
    dryRunField: fields.some(isDryRunField) ? DRY_RUN_FIELD : null,
  };
}

function describeTriedField(field: TriedField, schemas: Schemas): TrialField {
  const schema = resolve(field.schema, schemas);
  const kind = kindOf(schema, schemas);
  const isId = schema.format === "uuid" || (schema.items && resolve(schema.items, schemas).format === "uuid");
  const example = field.example === undefined ? "" : toText(field.example);
  return {
    name: field.name,
    place: field.place,
    kind,
    isRequired: field.isRequired,
    choices: kind === "BOOLEAN" ? ["true", "false"] : (schema.enum ?? []).map(String),
    initial: isId ? "" : example,
    placeholder: isId ? "uuid" : schema.default === undefined ? "" : toText(schema.default),
  };
}

function kindOf(schema: JsonSchema, schemas: Schemas): TrialField["kind"] {
  if (schema.type === "integer" || schema.type === "number") return "NUMBER";
  if (schema.type === "boolean") return "BOOLEAN";
  if (schema.type === "array") {
    const items = resolve(schema.items ?? {}, schemas);
    return items.type === "string" ? "LIST" : "JSON";
  }
  return schema.type === "string" || schema.enum ? "TEXT" : "JSON";
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(",");
  return JSON.stringify(value, null, 2);
}

function resolve(field: JsonSchema, schemas: Schemas): JsonSchema {
  const { schema } = withoutNull(field);
  const found = schemas[componentName(schema) ?? ""];
  return found ? { ...found, ...(field.default !== undefined && { default: field.default }) } : schema;
}
