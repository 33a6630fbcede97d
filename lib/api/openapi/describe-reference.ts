import { describeField, describeFields, type Schemas, withoutNull } from "@/lib/api/openapi/describe-field";
import type { OpenApiDocument, OperationObject, Parameter } from "@/lib/api/openapi/document";
import { HEADER_PARAMETERS } from "@/lib/api/openapi/headers";
import { componentName, type JsonSchema, valuesOf } from "@/lib/api/openapi/json-schema";
import { writeSamples } from "@/lib/api/openapi/write-samples";
import { ERROR_STATUS } from "@/lib/contract/error";
import type {
  AssistantsView,
  FieldView,
  OperationView,
  ReferenceView,
  TrialField,
  TrialView,
} from "@/lib/contract/reference";

/** The specification's word for a dry run (Part 4). */
const DRY_RUN_FIELD = "simulation";

/** The OpenAPI document as the reference page shows it: the page says exactly what the document says. */
export function describeReference(
  document: OpenApiDocument,
  openApiPath: string,
  assistants: AssistantsView,
): ReferenceView {
  const baseUrl = document.servers[0]?.url ?? "";
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => describe(document, path, method, described)),
  );
  return {
    baseUrl,
    basePath: new URL(baseUrl).pathname,
    openApiUrl: `${baseUrl}${openApiPath}`,
    // Webhooks have a tag but no operation; a guide explains them.
    chapters: document.tags
      .map(({ name, description }) => ({
        title: name,
        description,
        operations: operations.filter(({ tag }) => tag === name).map(({ view }) => view),
      }))
      .filter((chapter) => chapter.operations.length > 0),
    assistants,
  };
}

function describe(document: OpenApiDocument, path: string, method: string, described: OperationObject) {
  const { schemas } = document.components;
  const { operationId, summary, description, "x-permission": permission, "x-errors": errors } = described;
  const parameters = described.parameters.map((one) => ("name" in one ? one : headerOf(one.$ref)));
  const views = (place: Parameter["in"]) =>
    parameters.filter((one) => one.in === place).map((one) => describeParameter(one, schemas));
  const view: OperationView = {
    operationId,
    method: toMethod(method),
    path,
    summary,
    description,
    permission,
    headers: views("header"),
    pathFields: views("path"),
    queryFields: views("query"),
    bodyFields: describeFields(bodyOf(described)?.schema ?? {}, schemas),
    ...describeAnswers(document, described),
    errors: errors.map((code) => ({ code, status: ERROR_STATUS[code] })).sort((a, b) => a.status - b.status),
    samples: describeSamples(document, path, method, described, parameters),
    trial: describeTrial(
      [...triedParameters(parameters), ...triedBody(described, schemas)],
      parameters.includes(HEADER_PARAMETERS.IdempotencyKey),
      schemas,
    ),
  };
  return { tag: described.tags[0], view };
}

function describeParameter(parameter: Parameter, schemas: Schemas): FieldView {
  const view = describeField(parameter.name, parameter.schema, parameter.required, schemas);
  return { ...view, description: parameter.description ?? view.description };
}

function triedParameters(parameters: Parameter[]): TriedField[] {
  return parameters.flatMap(({ name, in: place, schema, required, example }) =>
    place === "header" ? [] : [{ name, place, schema, isRequired: required, example }],
  );
}

function triedBody(described: OperationObject, schemas: Schemas): TriedField[] {
  const body = bodyOf(described);
  if (!body) return [];
  const { properties = {}, required = [] } = schemas[componentName(body.schema) ?? ""] ?? body.schema;
  const examples = new Map(Object.entries(toRecord(body.example)));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: "body",
    schema,
    isRequired: required.includes(name),
    example: examples.get(name),
  }));
}

function describeSamples(
  document: OpenApiDocument,
  path: string,
  method: string,
  described: OperationObject,
  parameters: Parameter[],
): OperationView["samples"] {
  const samples = writeSamples({
    operationId: described.operationId,
    method: toMethod(method),
    baseUrl: document.servers[0]?.url ?? "",
    path,
    pathFields: examplesOf(parameters.filter((one) => one.in === "path")),
    queryFields: examplesOf(parameters.filter((one) => one.in === "query")),
    body: bodyOf(described)?.example ?? null,
    isIdempotent: parameters.includes(HEADER_PARAMETERS.IdempotencyKey),
  });
  return { ...samples, answer: answerExample(described) };
}

const bodyOf = (described: OperationObject) => described.requestBody?.content["application/json"] ?? null;

function describeAnswers(document: OpenApiDocument, { responses }: OperationObject) {
  const successes = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith("2") && "description" in response
      ? [{ status: Number(status), when: response.description, content: response.content }]
      : [],
  );
  const { schemas } = document.components;
  const data = successes[0]?.content["application/json"].schema.properties?.data ?? {};
  const fields = describeFields(data, schemas);
  return {
    successes: successes.map(({ status, when }) => ({ status, when })),
    // A value that is not an object is shown as one field, the one it has in the envelope.
    answerFields: fields.length > 0 ? fields : [describeField("data", data, true, schemas)],
  };
}

/** The example's status: an operation's answers are ordered by status. */
function answerExample({ operationId, responses }: OperationObject): { status: number; text: string } {
  for (const [status, response] of Object.entries(responses)) {
    const example = "content" in response ? response.content["application/json"].example : undefined;
    if (example !== undefined) return { status: Number(status), text: JSON.stringify(example, null, 2) };
  }
  throw new Error(`${operationId} has no example of an answer`);
}

const HEADERS: Record<string, Parameter> = HEADER_PARAMETERS;

function headerOf(reference: string): Parameter {
  const header = HEADERS[reference.split("/").at(-1) ?? ""];
  if (!header) throw new Error(`There is no parameter ${reference}`);
  return header;
}

function toMethod(method: string): OperationView["method"] {
  if (method === "get") return "GET";
  return method === "put" ? "PUT" : "POST";
}

const examplesOf = (parameters: Parameter[]): Record<string, unknown> =>
  Object.fromEntries(
    parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
  );

function toRecord(example: unknown): object {
  return typeof example === "object" && example !== null ? example : {};
}

interface TriedField {
  name: string;
  place: TrialField["place"];
  schema: JsonSchema;
  isRequired: boolean;
  example: unknown;
}

/** How a reader tries an operation: a control per field, filled from the example. */
function describeTrial(fields: readonly TriedField[], isIdempotent: boolean, schemas: Schemas): TrialView {
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
    choices: kind === "BOOLEAN" ? ["true", "false"] : (valuesOf(schema) ?? []).map(String),
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
  return schema.type === "string" || valuesOf(schema) ? "TEXT" : "JSON";
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
