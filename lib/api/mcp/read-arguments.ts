import { type CallerFields, checkCallerFields } from "@/lib/api/operations/caller-fields";
import type { Operation } from "@/lib/api/operations/operation";
import { readPathFields } from "@/lib/api/operations/read-path-fields";

export interface ToolArguments extends CallerFields {
  /** Path, query and body fields of the operation, not yet checked but for the ids in its path. */
  fields: Record<string, unknown>;
}

/**
 * Takes a tool's flat arguments apart into what HTTP has in path, query, body and headers (decisions page, "MCP").
 * @throws AppError `INVALID_PARAMETERS`; the operation's own 404 for a path id that cannot name anything.
 */
export function readArguments(operation: Operation, sent: Record<string, unknown>): ToolArguments {
  const { idempotencyKey, calledReason, ...rest } = sent;
  const callerFields = checkCallerFields(
    { idempotencyKey: operation.isIdempotent ? idempotencyKey : undefined, calledReason },
    { idempotencyKey: "idempotencyKey", calledReason: "calledReason" },
  );
  const fields = operation.method === "GET" ? asQuery(operation, rest) : rest;
  return { ...callerFields, fields: { ...fields, ...presentPathFields(operation, rest) } };
}

/** One that is missing is a missing argument, which the operation's schema tells. */
function presentPathFields(operation: Operation, sent: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(operation.pathParameters?.schema.shape ?? {});
  return names.every((name) => sent[name] !== undefined) ? readPathFields(operation, sent) : {};
}

/** The schemas of reads take a query's text; agents write numbers, flags and lists as what they are. */
function asQuery(operation: Operation, sent: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      if (!operation.listFields.includes(name)) return [name, asText(value)];
      return [name, Array.isArray(value) ? value.map(asText) : [asText(value)]];
    }),
  );
}

function asText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}
