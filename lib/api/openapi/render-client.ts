import {
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  toTypeName,
} from "@/lib/api/openapi/document";
import { componentName, type JsonSchema, valuesOf } from "@/lib/api/openapi/json-schema";

const union = (types: string[]) => [...new Set(types)].join(" | ");

const bracket = (type: string) => (/ [|&] /.test(type) && !type.startsWith("{") ? `(${type})` : type);

/** The generated half of the client, from the project's root. */
export const GENERATED_CLIENT = "clients/typescript/src/generated.ts";

interface ClientOperation {
  method: string;
  path: string;
  described: OperationObject;
  pathFields: Parameter[];
  queryFields: Parameter[];
  bodyType: string | null;
}

/**
 * The generated half of the TypeScript client: a type for each schema, and a class with a method for each operation.
 * Sending, retries and errors are hand-written in `sluice.ts`, which extends that class.
 */
export function renderClient(document: OpenApiDocument): string {
  const operations = listOperations(document);
  return `${[
    "// Generated from the OpenAPI document by `npm run client:generate`; a test compares. Change the operation table instead.",
    'import type { Answer, CallOptions, OperationShape } from "./call.js";',
    ...Object.entries(document.components.schemas).map(([name, schema]) => renderDeclaration(name, schema)),
    ...operations.flatMap((operation) => renderInput(operation) ?? []),
    renderTable(operations),
    renderClass(operations),
  ].join("\n\n")}\n`;
}

function listOperations(document: OpenApiDocument): ClientOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const parameters = described.parameters.flatMap((one) => ("name" in one ? [one] : []));
      const body = described.requestBody?.content["application/json"].schema;
      return {
        method: method.toUpperCase(),
        path,
        described,
        pathFields: parameters.filter((one) => one.in === "path"),
        queryFields: parameters.filter((one) => one.in === "query"),
        bodyType: body ? componentName(body) : null,
      };
    }),
  );
}

function renderDeclaration(name: string, schema: JsonSchema): string {
  const isPlainObject = schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0;
  const declaration = isPlainObject
    ? `export interface ${name} ${renderObject(schema, "")}`
    : `export type ${name} = ${renderType(schema)};`;
  return [...renderComment(schema.description, ""), declaration].join("\n");
}

/** Null when the body alone is the input. */
function renderInput({ described, pathFields, queryFields, bodyType }: ClientOperation): string | null {
  const fields = [...pathFields, ...queryFields];
  if (fields.length === 0) return null;
  const schema: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(
      fields.map(({ name, description, schema: field }) => [
        name,
        { ...oneOrSeveral(field), ...(description && { description }) },
      ]),
    ),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
  const name = `${toTypeName(described.operationId)}Input`;
  return bodyType
    ? `export type ${name} = ${renderObject(schema, "")} & ${bodyType};`
    : `export interface ${name} ${renderObject(schema, "")}`;
}

/** A list in a query may be a single value. */
function oneOrSeveral(field: JsonSchema): JsonSchema {
  return field.type === "array" && field.items ? { anyOf: [field.items, field] } : field;
}

function renderTable(operations: ClientOperation[]): string {
  const rows = operations.map(({ method, path, described, pathFields }) => {
    const shape = {
      name: described.operationId,
      method,
      path,
      pathFields: pathFields.map(({ name }) => name),
      isIdempotent: isIdempotent(described),
    };
    return `  ${described.operationId}: ${JSON.stringify(shape)},`;
  });
  return ["const OPERATIONS = {", ...rows, "} satisfies Record<string, OperationShape>;"].join("\n");
}

function renderClass(operations: ClientOperation[]): string {
  return [
    "/** A method for each operation of the API. */",
    "export abstract class Operations {",
    "  protected abstract send<Data>(operation: OperationShape, input: object, options: CallOptions): Promise<Answer<Data>>;",
    ...operations.map((operation) => `\n${renderMethod(operation)}`),
    "}",
  ].join("\n");
}

function renderMethod({ described, pathFields, queryFields, bodyType }: ClientOperation): string {
  const { operationId, summary, description } = described;
  const fields = [...pathFields, ...queryFields];
  const inputType = fields.length > 0 ? `${toTypeName(operationId)}Input` : (bodyType ?? "object");
  const isOptional = bodyType === null && !fields.some(({ required }) => required);
  const comment = `${summary}.\n\n${description}\n\n@throws SluiceError ${described["x-errors"].join(", ")}`;
  const data = dataType(described);
  return [
    ...renderComment(comment, "  "),
    `  ${operationId}(input: ${inputType}${isOptional ? " = {}" : ""}, options: CallOptions = {}): Promise<Answer<${data}>> {`,
    `    return this.send<${data}>(OPERATIONS.${operationId}, input, options);`,
    "  }",
  ].join("\n");
}

function dataType({ operationId, responses }: OperationObject): string {
  for (const response of Object.values(responses)) {
    const data =
      "content" in response ? response.content["application/json"].schema.properties?.data : undefined;
    if (data) return renderType(data);
  }
  throw new Error(`${operationId} has no answer`);
}

const isIdempotent = ({ parameters }: OperationObject): boolean =>
  parameters.some((one) => "$ref" in one && one.$ref === "#/components/parameters/IdempotencyKey");

/** A schema as a TypeScript type, indented for its place. */
export function renderType(schema: JsonSchema, indent = ""): string {
  const name = componentName(schema);
  if (name) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const values = valuesOf(schema);
  if (values) return union(values.map((value) => JSON.stringify(value)));
  const alternatives = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
  if (alternatives) return union(alternatives.map((one) => renderType(one, indent)));
  if (schema.allOf && schema.type === undefined)
    return schema.allOf.map((one) => bracket(renderType(one, indent))).join(" & ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["unknown"]);
  return union(types.map((type) => renderPlain(type, schema, indent)));
}

function renderPlain(type: string, schema: JsonSchema, indent: string): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
    case "unknown":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return renderArray(schema, indent);
    case "object":
      return renderObject(schema, indent);
    default:
      throw new Error(`There is no type of TypeScript for ${type}`);
  }
}

function renderArray(schema: JsonSchema, indent: string): string {
  if (schema.prefixItems) return `[${schema.prefixItems.map((item) => renderType(item, indent)).join(", ")}]`;
  return `${bracket(renderType(schema.items ?? {}, indent))}[]`;
}

/** The fields of an object in braces, with their descriptions. */
function renderObject(schema: JsonSchema, indent: string): string {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) {
    const values = schema.additionalProperties;
    return `Record<string, ${typeof values === "object" ? renderType(values, indent) : "unknown"}>`;
  }
  const inner = `${indent}  `;
  const lines = fields.flatMap(([name, field]) => {
    const mark = schema.required?.includes(name) ? "" : "?";
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return [
      ...renderComment(field.description, inner),
      `${inner}${key}${mark}: ${renderType(field, inner)};`,
    ];
  });
  return ["{", ...lines, `${indent}}`].join("\n");
}

/** A comment above a declaration; text that would end the comment is defused. */
export function renderComment(text: string | undefined, indent: string): string[] {
  if (!text) return [];
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}
