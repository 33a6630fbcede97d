import { describeField, describeFields, type Schemas } from "@/lib/api/openapi/describe-field";
import { describeTrial, type TriedField } from "@/lib/api/openapi/describe-trial";
import type { OpenApiDocument, OperationObject, Parameter } from "@/lib/api/openapi/document";
import { HEADER_PARAMETERS } from "@/lib/api/openapi/headers";
import { componentName } from "@/lib/api/openapi/json-schema";
import { writeCurl, writeTypeScript } from "@/lib/api/openapi/write-samples";
import { ERROR_STATUS } from "@/lib/contract/error";
import type {
  AssistantsView,
  FieldView,
  OperationView,
  ReferenceView,
} from "@/lib/contract/views/reference-view";

/** The reference page's view of the OpenAPI document: what the page shows is what the document says. */
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
    // What Sluice sends has a tag and no operation; a guide explains it.
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
    samples: writeSamples(document, path, method, described, parameters),
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

function writeSamples(
  document: OpenApiDocument,
  path: string,
  method: string,
  described: OperationObject,
  parameters: Parameter[],
): OperationView["samples"] {
  const baseUrl = document.servers[0]?.url ?? "";
  const sample = {
    operationId: described.operationId,
    method: toMethod(method),
    url: `${baseUrl}${path}`,
    pathFields: examplesOf(parameters.filter((one) => one.in === "path")),
    queryFields: examplesOf(parameters.filter((one) => one.in === "query")),
    body: bodyOf(described)?.example ?? null,
    isIdempotent: parameters.includes(HEADER_PARAMETERS.IdempotencyKey),
  };
  return {
    curl: writeCurl(sample),
    typescript: writeTypeScript(sample, baseUrl),
    answer: answerExample(described),
  };
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
    // What is no object is shown as one field, as which it stands in the envelope.
    answerFields: fields.length > 0 ? fields : [describeField("data", data, true, schemas)],
  };
}

/** With the status that it comes with: the answers of an operation are in the order of their numbers. */
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
