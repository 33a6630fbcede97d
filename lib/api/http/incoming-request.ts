import type { Operation } from "@/lib/api/operations/operation";
import {
  type ReadCallerFields,
  readCallerFields,
  readPathFields,
  splitList,
} from "@/lib/api/operations/request-fields";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import { MAXIMUM_BODY_BYTES } from "@/lib/contract/limits";
import type { RequestFacts } from "@/lib/platform/observe/request-facts";

/** The parts of an HTTP request that the pipeline uses; the body is read only once the caller is known. */
export interface IncomingRequest {
  method: string;
  /** As sent, without the query. */
  path: string;
  pathParameters: Record<string, string>;
  query: URLSearchParams;
  header: (name: string) => string | undefined;
  /** @throws AppError `PAYLOAD_TOO_LARGE`, `INVALID_PARAMETERS` when it is not JSON. */
  readBody: (maximumBytes: number) => Promise<unknown>;
  /** Aborted when the client disconnects before its answer; null if the transport cannot say. */
  gone: () => AbortSignal | null;
  /** Filled in along the way. */
  facts: RequestFacts;
}

const NAMES = { idempotencyKey: "idempotency-key", calledReason: "x-called-reason" };

/** The two headers that callers choose. `idempotency-key` is read only for operations that change state. */
export function readHeaders(
  request: Pick<IncomingRequest, "header">,
  isIdempotent: boolean,
): ReadCallerFields {
  const calledReason = request.header(NAMES.calledReason);
  return readCallerFields(
    {
      idempotencyKey: isIdempotent ? request.header(NAMES.idempotencyKey) : undefined,
      calledReason: calledReason === undefined ? undefined : decodeHeader(calledReason),
    },
    NAMES,
  );
}

/** HTTP gives header bytes as Latin-1; callers write UTF-8. */
function decodeHeader(value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    // Not UTF-8, so the caller meant Latin-1.
    return value;
  }
}

interface RawInput {
  /** Path, query and body in one flat object, unchecked. */
  fields: Record<string, unknown>;
  /** The JSON body as sent; null without one. */
  body: unknown;
  /** Fields in the wrong place, or given more than once. */
  problems: ErrorDetail[];
}

/**
 * Gathers the input of an operation.
 * @throws AppError the operation's own 404 for a path parameter that cannot name anything; `INVALID_PARAMETERS` unless the
 * body is an object, `PAYLOAD_TOO_LARGE`
 */
export async function readInput(operation: Operation, request: IncomingRequest): Promise<RawInput> {
  const path = readPathFields(operation, request.pathParameters);
  if (operation.method === "GET") {
    const { fields, problems } = readQuery(operation, request.query);
    return {
      fields: { ...fields, ...path },
      body: null,
      problems: [...problems, ...onlyInPath(fields, path)],
    };
  }
  const body = await request.readBody(operation.maximumBodyBytes ?? MAXIMUM_BODY_BYTES);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("INVALID_PARAMETERS", "The body must be a JSON object.");
  }
  const problems = [...onlyInBody(request.query), ...onlyInPath(body, path)];
  return { fields: { ...body, ...path }, body, problems };
}

/** A field that the path already sets would otherwise be overridden silently. */
function onlyInPath(fields: object, path: Record<string, unknown>): ErrorDetail[] {
  return Object.keys(path)
    .filter((field) => Object.hasOwn(fields, field))
    .map((field) => ({ field, message: "belongs only in the path" }));
}

/** Parameters belong in the body, where the approver sees them. */
function onlyInBody(query: URLSearchParams): ErrorDetail[] {
  return [...new Set(query.keys())].map((field) => ({ field, message: "belongs in the body" }));
}

/** A single-value field given twice is refused: guessing which one the caller means is not safe. */
function readQuery(operation: Operation, query: URLSearchParams): Pick<RawInput, "fields" | "problems"> {
  const fields = new Map<string, unknown>();
  const problems: ErrorDetail[] = [];
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    const json = listInJson(values);
    if (operation.listFields.includes(name)) {
      fields.set(name, json ?? splitList(values));
      if (json)
        problems.push({ field: name, message: "must be repeated or separated with commas, not JSON" });
    } else if (values.length === 1) {
      fields.set(name, values[0]);
    } else {
      problems.push({ field: name, message: "must be given once" });
    }
  }
  // Built from entries: plain assignment would drop a field named __proto__ instead of refusing it.
  return { fields: Object.fromEntries(fields), problems };
}

/** A list written as JSON text, so that its items are still checked. */
function listInJson([text = "", ...more]: string[]): unknown[] | null {
  if (more.length > 0 || !/^\s*\[/.test(text)) return null;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}

/** The token after `Bearer` in the `Authorization` header; any number of spaces between them (RFC 9110, 11.4). */
export function bearerOf(request: { header: (name: string) => string | undefined }): string | undefined {
  return /^Bearer +([\x21-\x7e]{1,200})$/i.exec(request.header("authorization") ?? "")?.[1];
}
