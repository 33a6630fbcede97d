import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { accountIdsIn, describeAnswer, guidanceIn, nextStepIn } from "@/lib/api/mcp/describe-answer";
import { auditPath, type McpCall } from "@/lib/api/mcp/mcp-call";
import { toRefusedResult } from "@/lib/api/mcp/refused-result";
import { readRuleArguments, takesRule, teachRefusal, withChanges } from "@/lib/api/mcp/rule-arguments";
import { mayAttempt, type Operation } from "@/lib/api/operations/operation";
import {
  type ReadCallerFields,
  readCallerFields,
  readPathFields,
  refusalOf,
  splitList,
} from "@/lib/api/operations/request-fields";
import { recordRefusal, runOperation } from "@/lib/api/operations/run-operation";
import { toolOperations } from "@/lib/api/operations/table";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import { REPLACEMENT, seenJson, seenText } from "@/lib/contract/plain-text";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import { readRuleToEdit } from "@/lib/core/rules/save-rule";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { permissionOf } from "@/lib/core/shared/permits";

/**
 * Names of the accounts in an answer, for a caller that may list accounts. Runs after the operation, whose success a
 * failure here must not hide: accounts are then named by id.
 */
async function readNames({ services, context }: McpCall, data: unknown): Promise<AccountNames> {
  if (permissionOf(context.actor, "READ_ACCOUNTS") === null) return {};
  try {
    const names = await readAccountNames(services.pool, context.organizationId, accountIdsIn(data));
    return Object.fromEntries(
      Object.entries(names).map(([id, account]) => [
        id,
        { ...account, name: seenText(account.name, REPLACEMENT) },
      ]),
    );
  } catch (error) {
    services.log.error({ error: String(error) }, "account names could not be read; the answer uses ids");
    return {};
  }
}

const bodySchema = z.object({ data: z.unknown(), requestId: z.string() });

/**
 * Calls an operation as a tool: directly, not over HTTP, with the same checks, limits and audit log. A refusal is a
 * result with `isError`, which an agent reads and can act on; a protocol error would end its turn.
 * @param sent the tool's arguments
 */
export async function callOperation(
  call: McpCall,
  operation: Operation,
  sent: unknown,
): Promise<CallToolResult> {
  const { services, overLimit } = call;
  const method = "POST";
  const path = auditPath(operation.operationId);
  let context: Context<CallerActor> = call.context;
  let read: ToolArguments | null = null;
  try {
    if (overLimit) throw overLimit;
    read = readArguments(operation, asObject(sent));
    const { calledReason, idempotencyKey, problems, set } = read;
    context = { ...context, calledReason };
    const fields = set === null ? read.fields : await readChanged(call, context, { ...read, set });
    const asSent = { method, path, calledReason, idempotencyKey, body: fields };
    // A retry is the same request, although the rule that it changes has become another by then.
    const identity = set === null ? null : { ...read.fields, set };
    const request = { context, fields, sent: asSent, problems, gone: call.gone, identity };
    const answer = await runOperation(services, operation, request);
    const { data: raw, requestId } = bodySchema.parse(answer.body);
    // Names and descriptions from outside, and those stored before checks existed, must not carry words to the agent
    // that
    // no person sees.
    const data = seenJson(raw);
    const names = await readNames(call, data);
    const reader = {
      appUrl: services.appUrl,
      names,
      mayCall: (tool: string) => mayCall(context.actor, tool),
    };
    const text = describeAnswer(operation.operationId, data, reader);
    return {
      content: [{ type: "text", text }],
      structuredContent: { guidance: guidanceIn(text), nextStep: nextStepIn(text), data, requestId },
    };
  } catch (error) {
    const { operationId, auditAction } = operation;
    const { requestId } = context;
    const isAboveLimit = overLimit !== null;
    const refused = {
      requestId,
      operationId,
      caller: context,
      method,
      path,
      auditAction,
      fields: isObject(sent) ? sent : null,
      isAboveLimit,
    };
    const taught = read?.isRule
      ? teachRefusal(error, read.fields, read.isNested)
      : explainTexts(operation, error);
    return toRefusedResult(call, await recordRefusal(services, refused, taught));
  }
}

export const isObject = (sent: unknown): sent is Record<string, unknown> =>
  typeof sent === "object" && sent !== null && !Array.isArray(sent);

/**
 * A tool's arguments, which some models write as JSON text.
 * @throws AppError `INVALID_PARAMETERS` for what is not an object
 */
export function asObject(sent: unknown): Record<string, unknown> {
  if (isObject(sent)) return sent;
  const wanted = "must be an object";
  const message = typeof sent === "string" ? `${wanted}: give JSON, not a string` : wanted;
  throw refusalOf([{ field: "arguments", message }]);
}

/** The whole of the rule that `set` changes. */
async function readChanged(
  { services }: McpCall,
  context: Context<CallerActor>,
  { fields, set, problems }: Pick<ToolArguments, "fields" | "set" | "problems">,
): Promise<Record<string, unknown>> {
  const { id } = fields;
  if (typeof id !== "string" || problems.length > 0) return fields;
  return withChanges(fields, set, await readRuleToEdit(services, context, id));
}

function mayCall(actor: CallerActor, tool: string): boolean {
  const found = toolOperations.find(({ operationId }) => operationId === tool);
  return found !== undefined && mayAttempt(actor, found);
}

interface ToolArguments extends ReadCallerFields {
  /** Path, query and body fields of the operation; only the ids in its path are checked. */
  fields: Record<string, unknown>;
  isRule: boolean;
  /** Whether the rule came in an argument of its own. */
  isNested: boolean;
  /** Changes to a rule that has to be read first; null: the fields are complete. */
  set: unknown;
}

/**
 * Splits a tool's flat arguments into what HTTP has in path, query, body and headers (docs/behavior/http.md).
 * @throws AppError the operation's own 404 for a malformed path id
 */
function readArguments(operation: Operation, sent: Record<string, unknown>): ToolArguments {
  const { idempotencyKey, calledReason, ...rest } = sent;
  const callerFields = readCallerFields(
    {
      idempotencyKey: operation.isIdempotent ? emptyAsNull(idempotencyKey) : undefined,
      calledReason: emptyAsNull(calledReason),
    },
    { idempotencyKey: "idempotencyKey", calledReason: "calledReason" },
  );
  const pathFields = presentPathFields(operation, rest);
  if (takesRule(operation)) {
    const { fields, isNested, set, problems } = readRuleArguments(operation, rest);
    return {
      ...callerFields,
      fields: { ...fields, ...pathFields },
      isRule: true,
      isNested,
      set,
      problems: [...callerFields.problems, ...problems],
    };
  }
  const { fields, problems } =
    operation.method === "GET"
      ? { fields: asQuery(operation, rest), problems: [] }
      : readTexts(operation, rest);
  return {
    ...callerFields,
    fields: { ...fields, ...pathFields },
    isRule: false,
    isNested: false,
    set: null,
    problems: [...callerFields.problems, ...problems],
  };
}

/** Reads the objects that came as JSON text. One that is none counts as empty, so that the refusal names what it needs. */
function readTexts(
  { tool }: Operation,
  sent: Record<string, unknown>,
): { fields: Record<string, unknown>; problems: ErrorDetail[] } {
  const fields = { ...sent };
  const problems: ErrorDetail[] = [];
  for (const name of Object.keys(tool.asText ?? {})) {
    const text = fields[name];
    if (typeof text !== "string") continue;
    const read = readObject(text);
    fields[name] = read ?? {};
    if (read === null) problems.push({ field: name, message: "must be the JSON of an object" });
  }
  return { fields, problems };
}

/** A refusal of such an object says all that it takes. */
function explainTexts({ tool }: Operation, refusal: unknown): unknown {
  if (!(refusal instanceof AppError) || refusal.code !== "INVALID_PARAMETERS") return refusal;
  const { code, message, details } = refusal;
  const named = new Set(details.map(({ field }) => field.split(".")[0]));
  const words = Object.entries(tool.asText ?? {}).flatMap(([name, text]) =>
    named.has(name) ? [`${text}.`] : [],
  );
  return words.length === 0 ? refusal : new AppError(code, [message, ...words].join(" "), details);
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) ? read : null;
  } catch {
    return null;
  }
}

/** A model that must fill in every argument writes an empty text where it has none. */
const emptyAsNull = (value: unknown) => (value === "" ? null : value);

/** A missing id is a missing argument; the operation's schema reports it. */
function presentPathFields(operation: Operation, sent: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(operation.pathParameters?.schema.shape ?? {});
  return names.every((name) => (sent[name] ?? null) !== null) ? readPathFields(operation, sent) : {};
}

/** Schemas of reads take query text; agents send numbers, flags and lists as such. */
function asQuery(operation: Operation, sent: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      operation.listFields.includes(name) ? asList(value) : asText(value),
    ]),
  );
}

/** A single value is a list of one. A list written as JSON text stays a text, and is refused as that. */
function asList(value: unknown): unknown {
  if (Array.isArray(value)) return splitList(value.map(asText));
  if (value === null || typeof value === "object") return value;
  if (typeof value === "string" && /^\s*\[/.test(value)) return value;
  return splitList([asText(value)]);
}

function asText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}
