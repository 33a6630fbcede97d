import { type ObjectSchema, withCallerFields } from "@/lib/api/mcp/input-schema";
import { patchRule, readChanges } from "@/lib/api/mcp/patch-rule";
import { withinDialects } from "@/lib/api/mcp/plain-schema";
import { describeRightShape, RULE_GRAMMAR } from "@/lib/api/mcp/rule-grammar";
import { convertSchema, type JsonSchema, mapChildren } from "@/lib/api/openapi/json-schema";
import type { Operation } from "@/lib/api/operations/operation";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import { UNKNOWN_FIELD } from "@/lib/contract/input/schema-words";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import type { RuleToEdit } from "@/lib/core/rules/save-rule";

/** Beside the rule itself, which a tool takes as one argument. */
const OWN_FIELDS: readonly string[] = ["id", "expectedVersion"];

/** Whether a tool takes a rule: its arguments are then `rule`, and to change one `set`, instead of the rule's fields. */
export function takesRule({ operationId }: Pick<Operation, "operationId">): boolean {
  return operationId === "createRule" || operationId === "updateRule";
}

/** How a rule is written, after what the tool is for. */
export function describeRuleTool(description: string, { operationId }: Operation): string {
  const how =
    operationId === "createRule"
      ? RULE_GRAMMAR
      : "Send set for some fields, or the whole as rule. A path is like steps.0.actions.0.amountInCents; null removes; a list or an object is JSON.";
  return `${description} ${how}`;
}

/** The arguments of `createRule` and `updateRule`. */
export function describeRuleArguments(operation: Operation): ObjectSchema {
  if (operation.operationId === "createRule") {
    return withCallerFields(operation, {
      type: "object",
      properties: { rule: ruleShape() },
      required: ["rule"],
    });
  }
  return withCallerFields(operation, {
    type: "object",
    properties: {
      id: { type: "string" },
      expectedVersion: { type: "integer", description: "As read." },
      set: {
        type: "array",
        items: {
          type: "object",
          properties: {
            path: { type: "string" },
            value: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] },
          },
          required: ["path"],
        },
      },
      rule: { type: "string", description: "JSON, as createRule takes it." },
    },
    required: ["id"],
  });
}

/**
 * A rule with all variants as one shape. Its conditions are JSON text, since their tree is a third of it and few rules have
 * any; choices that the grammar explains are listed there only.
 */
function ruleShape(): JsonSchema {
  const { value, definitions } = convertSchema(ruleDefinitionSchema, "input");
  const asText = Object.keys(definitions)
    .filter((name) => name.startsWith("RuleConditions"))
    .map((name) => [name, { type: "string" }] as const);
  const shape = withinDialects(value, { ...definitions, ...Object.fromEntries(asText) });
  return mapChildren(shape, withoutExplainedChoices);
}

/** What to do on holidays is asked rarely: getRuleGuide and a refusal say it. */
const BANKING_DAYS = ["SAME_DAY", "NEXT_BANKING_DAY", "PREVIOUS_BANKING_DAY"];
const GRAMMAR_WORDS: ReadonlySet<unknown> = new Set([
  ...(RULE_GRAMMAR.match(/\b[A-Z][A-Z_]+\b/g) ?? []),
  ...BANKING_DAYS,
]);

function withoutExplainedChoices(schema: JsonSchema): JsonSchema {
  const isExplained = schema.enum?.every((value) => GRAMMAR_WORDS.has(value)) ?? false;
  return isExplained ? { type: "string" } : mapChildren(schema, withoutExplainedChoices);
}

/** What a tool's arguments say about a rule, as the operation takes it. */
export interface RuleArguments {
  /** The operation's fields; without those of the rule while it has to be read first. */
  fields: Record<string, unknown>;
  /** Whether the fields of the rule came in `rule`: problems then name them below it. */
  isNested: boolean;
  /** Changes to the latest version, which has to be read first; null: the fields are complete. */
  set: unknown;
  problems: ErrorDetail[];
}

/**
 * Reads the arguments of `createRule` and `updateRule`. The rule's fields as arguments of their own are taken as well:
 * clients that listed the tools before keep sending them.
 */
export function readRuleArguments(operation: Operation, sent: Record<string, unknown>): RuleArguments {
  const { rule = null, set = null, ...rest } = sent;
  const isUpdate = operation.operationId === "updateRule";
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => OWN_FIELDS.includes(name)));
  const others = Object.keys(rest).filter((name) => !OWN_FIELDS.includes(name) && rest[name] !== null);
  const read: RuleArguments = { fields: own, isNested: false, set: null, problems: [] };
  const refuse = (field: string, message: string) => ({ ...read, problems: [{ field, message }] });
  if (set !== null && !isUpdate) return refuse("set", UNKNOWN_FIELD);
  if (set !== null && (rule !== null || others.length > 0)) {
    return refuse("set", "must be left out beside a whole rule: send one of the two");
  }
  if (set !== null) return { ...read, set };
  if (rule === null) {
    if (others.length > 0) return { ...read, fields: withConditionsRead(rest) };
    return refuse(
      "rule",
      isUpdate ? "is required, or set: send one of the two" : "is required: a trigger and steps",
    );
  }
  const whole = readJson(rule);
  if (!isObject(whole)) return refuse("rule", "must be an object, or the JSON of one");
  if (others[0] !== undefined) return refuse(others[0], "must be inside rule");
  const clashing = Object.keys(whole).filter((name) => OWN_FIELDS.includes(name));
  if (clashing[0] !== undefined)
    return refuse(`rule.${clashing[0]}`, "is an argument beside rule, not inside it");
  return { ...read, isNested: true, fields: { ...own, ...withConditionsRead(whole) } };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object that a list of tools names as a text. One that is no JSON stays a text, and is refused as that. */
function readJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    const read: unknown = JSON.parse(value);
    return read;
  } catch {
    return value;
  }
}

function withConditionsRead(rule: Record<string, unknown>): Record<string, unknown> {
  const { steps } = rule;
  if (!Array.isArray(steps)) return rule;
  const read = (step: unknown) => {
    if (!isObject(step) || typeof step.conditions !== "string") return step;
    // A model that must fill in every argument writes an empty text where it has none.
    return { ...step, conditions: step.conditions.trim() === "" ? null : readJson(step.conditions) };
  };
  return { ...rule, steps: steps.map(read) };
}

/**
 * The whole of a rule with the changes in `set`, for a version that nobody may have changed in the meantime.
 * @throws AppError `INVALID_PARAMETERS` for a path that leads nowhere
 */
export function withChanges(
  fields: Record<string, unknown>,
  set: unknown,
  { definition, version }: RuleToEdit,
): Record<string, unknown> {
  const read = readChanges(set);
  const patched = "problems" in read ? read : patchRule({ ...definition }, read.changes);
  const beside = "problems" in patched ? [] : OWN_FIELDS.filter((name) => Object.hasOwn(patched.rule, name));
  // They would be overwritten below, and a version written in which nothing changed.
  if (beside.length > 0) {
    throw refuseChanges(
      beside.map((field) => ({ field, message: "is an argument beside set, not inside it" })),
    );
  }
  if ("problems" in patched) throw refuseChanges(patched.problems);
  return { ...withConditionsRead(patched.rule), expectedVersion: version, ...withoutAbsent(fields) };
}

const withoutAbsent = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

function refuseChanges(problems: ErrorDetail[]): AppError {
  const [first] = problems;
  return new AppError("INVALID_PARAMETERS", `${first?.field}: ${first?.message}.`, problems);
}

/** Hints of one refusal: a rule with many mistakes has few causes. */
const MAXIMUM_HINTS = 3;

/**
 * A refusal of a rule that teaches: each problem by its path in the arguments, and what would be right there.
 * @param rule the fields as sent, by which the problems are named
 */
export function teachRefusal(refusal: unknown, rule: Record<string, unknown>, isNested: boolean): unknown {
  if (!(refusal instanceof AppError) || refusal.code !== "INVALID_PARAMETERS") return refusal;
  const hints = refusal.details.flatMap(({ field }) => describeRightShape(field, rule) ?? []);
  const below = (field: string) => (isNested && isOfRule(field) ? `rule.${field}` : field);
  const details = refusal.details.map(({ field, message }) => ({ field: below(field), message }));
  const shown = [...new Set(hints)].slice(0, MAXIMUM_HINTS);
  const first = refusal.details[0];
  const message = isNested && first && isOfRule(first.field) ? `rule.${refusal.message}` : refusal.message;
  return new AppError(refusal.code, [message, ...shown].join(" "), details);
}

const BESIDE: readonly string[] = [...OWN_FIELDS, "idempotencyKey", "calledReason", "set", "rule"];
const isOfRule = (field: string) => !BESIDE.includes(field.split(".")[0] ?? "");
