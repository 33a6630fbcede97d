import type { Example, Reference, Response } from "@/lib/api/openapi/document";
import { headerReferences } from "@/lib/api/openapi/headers";
import { COMPONENTS_PREFIX } from "@/lib/api/openapi/json-schema";
import { codeToTypeName } from "@/lib/api/openapi/names";
import type { Operation } from "@/lib/api/operations/operation";
import { ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";
import { ERROR_HELP } from "@/lib/contract/error-help";

/** Every code that an operation may answer: its own, and those that the pipeline answers before and after it. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ["UNAUTHORIZED", "RATE_LIMIT_EXCEEDED", "INVALID_PARAMETERS"];
  if (operation.method !== "GET") codes.push("PAYLOAD_TOO_LARGE");
  if (operation.permission) codes.push("ACCESS_DENIED");
  codes.push(...notFoundCodes(operation), ...operation.errors, "UNEXPECTED_ERROR");
  return [...new Set(codes)];
}

function notFoundCodes({ pathParameters }: Operation): ErrorCode[] {
  if (!pathParameters) return [];
  const { notFound } = pathParameters;
  return typeof notFound === "string" ? [notFound] : Object.values(notFound);
}

/** The responses of an operation that are errors, by status. A response with one code is shared by all operations. */
export function describeErrors(
  operation: Operation,
  shared: Map<string, Response>,
): Record<string, Response | Reference> {
  const all = errorsOf(operation);
  const statuses = [...new Set(all.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);
  const responses = statuses.map((status): [string, Response | Reference] => {
    const codes = all.filter((code) => ERROR_STATUS[code] === status);
    const response = describeError(status, codes);
    const [code, another] = codes;
    if (!code || another) return [String(status), response];
    const name = codeToTypeName(code);
    shared.set(name, response);
    return [String(status), { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(responses);
}

function describeError(status: number, codes: ErrorCode[]): Response {
  const examples = codes.map((code): [string, Example] => [
    code,
    { summary: ERROR_HELP[code].meaning, value: exampleOf(code) },
  ]);
  return {
    description: codes
      .map((code) => `\`${code}\`: ${ERROR_HELP[code].meaning} ${ERROR_HELP[code].action}`)
      .join("\n\n"),
    headers: headerReferences(status, false),
    content: {
      "application/json": {
        schema: { $ref: `${COMPONENTS_PREFIX}ErrorAnswer` },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function exampleOf(code: ErrorCode) {
  const message = ERROR_HELP[code].example;
  if (code !== "INVALID_PARAMETERS") return { error: { code, message } };
  const [field = "", problem = ""] = message.replace(/\.$/, "").split(": ");
  return { error: { code, message, details: [{ field, message: problem }] } };
}
