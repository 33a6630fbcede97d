import type { z } from "zod";
import { nameTools } from "@/lib/api/mcp/name-tools";
import { plainSchema, withinDialects } from "@/lib/api/mcp/plain-schema";
import { type ConvertedSchema, convertSchema, type JsonSchema } from "@/lib/api/openapi/json-schema";
import type { Operation } from "@/lib/api/operations/operation";

/** A self-contained JSON Schema 2020-12 of an object. */
export type ObjectSchema = {
  type: "object";
  properties: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  $defs?: Record<string, JsonSchema>;
};

/** What a model reads of the arguments that many tools share: at length in the instructions, here in a few words. */
const SHARED_WORDS: Readonly<Record<string, string>> = {
  contentBase64: "The file.",
  reason: "What people read.",
  summary: "With count and sums of all.",
  merchantName: "The whole name.",
};

/**
 * Arguments whose name says it, as far as the instructions do not: a description of each would be a fifth of the list.
 * Bounds are not listed either: a value beyond them is refused with what would be right.
 */
export const NAMED_ARGUMENTS: ReadonlySet<string> = new Set([
  "page",
  "pageSize",
  "from",
  "to",
  "calledReason",
  "idempotencyKey",
  "simulation",
  "id",
  "ruleId",
  "accountId",
  "cardId",
  "apiKeyId",
  "requestId",
  "errorCode",
  "ruleExecutionId",
  "mandateId",
  "sourceAccountId",
  "destinationAccountId",
  "externalId",
  "amountInCents",
  "minimumAmountInCents",
  "maximumAmountInCents",
  "status",
  "state",
  "kind",
  "type",
  "name",
  "action",
  "outcome",
  "direction",
  "category",
  "mine",
  "executionMode",
  "accountRole",
  "seconds",
  "wait",
  "reasonForApproval",
]);

/** The arguments of an operation's tool: its fields in one flat object, plus what callers may add to any call. */
export function describeArguments(operation: Operation): ObjectSchema {
  const whole = describeFields(operation.input, operation.method === "GET");
  const texts = Object.keys(operation.tool.asText ?? {}).map(
    (name) => [name, { type: "string", description: "JSON: see instructions." }] as const,
  );
  return withCallerFields(operation, {
    ...whole,
    properties: { ...whole.properties, ...Object.fromEntries(texts) },
  });
}

/** The arguments of a tool that is not an operation. */
export function describeWhole(input: z.ZodObject): ObjectSchema {
  return describeFields(input, false);
}

/** @param whole the arguments of an operation's tool, without those that every call takes */
export function withCallerFields(
  { isIdempotent }: Pick<Operation, "isIdempotent">,
  whole: ObjectSchema,
): ObjectSchema {
  const names = isIdempotent ? ["idempotencyKey", "calledReason"] : ["calledReason"];
  const added = names.map((name) => [name, { type: "string" }] as const);
  return { ...whole, properties: { ...whole.properties, ...Object.fromEntries(added) } };
}

function describeFields(input: z.ZodObject, isQuery: boolean): ObjectSchema {
  const fields = Object.entries(input.shape).map(([name, field]) => {
    const { value, definitions, isRequired } = convertField(field, isQuery);
    return { name, isRequired, schema: inFewWords(name, withinDialects(value, definitions)) };
  });
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    // Without additionalProperties, which strict clients add and the server checks: in a list it is one token in thirty.
    ...(required.length > 0 && { required }),
  };
}

/** HTTP query fields are text; each gets its own type here. */
function convertField(field: z.ZodType, isQuery: boolean): ConvertedSchema {
  const asInput = convertSchema(field, "input");
  return isQuery ? { ...convertText(field), isRequired: asInput.isRequired } : asInput;
}

function convertText(field: z.ZodType): ConvertedSchema {
  try {
    return convertSchema(field, "query");
  } catch {
    // JSON has no type for what the text becomes (a moment in time): the text is its schema.
    return convertSchema(field, "input");
  }
}

function inFewWords(name: string, { description = "", ...schema }: JsonSchema): JsonSchema {
  const words = NAMED_ARGUMENTS.has(name) ? "" : (SHARED_WORDS[name] ?? firstSentence(description));
  return words === "" ? schema : { ...schema, description: words };
}

/** The reference says the rest; a list is a list here, not a repeated field. */
function firstSentence(text: string): string {
  const plain = nameTools(text.replace(/; repeat it or separate with commas/, "")).replaceAll("`", "");
  return /^.*?\.(?= [A-Z]|$)/s.exec(plain)?.[0] ?? plain;
}

/** A schema as its reference has it, with definitions and bounds: what a reader of the rule guide gets. */
export function describeInFull(input: z.ZodObject): ObjectSchema {
  const { value, definitions } = convertSchema(input, "input");
  const plain = Object.fromEntries(
    Object.entries(definitions).map(([name, one]) => [name, plainSchema(one)]),
  );
  const name = value.$ref?.replace("#/$defs/", "");
  const whole = (name === undefined ? plainSchema(value) : plain[name]) ?? value;
  const others = Object.entries(plain).filter(([one]) => one !== name);
  return {
    type: "object",
    properties: whole.properties ?? {},
    ...(whole.required && { required: whole.required }),
    additionalProperties: false,
    ...(others.length > 0 && { $defs: Object.fromEntries(others) }),
  };
}
