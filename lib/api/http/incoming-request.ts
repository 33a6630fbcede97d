import type { Operation } from "@/lib/api/operations/operation";
import {
  type ReadCallerFields,
  readCallerFields,
  readPathFields,
  splitList,
} from "@/lib/api/operations/request-fields";
import { AppError } from "@/lib/contract/error";
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
  readBody: () => Promise<unknown>;
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
}

/**
 * Gathers the input of an operation.
 * @throws AppError the operation's own 404 for a path parameter that cannot name anything; `INVALID_PARAMETERS`.
 */
export async function readInput(operation: Operation, request: IncomingRequest): Promise<RawInput> {
  const path = readPathFields(operation, request.pathParameters);
  if (operation.method === "GET") {
    return { fields: merge(readQuery(operation, request.query), path), body: null };
  }
  refuseQuery(request.query);
  const body = await request.readBody();
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new AppError("INVALID_PARAMETERS", "The body must be a JSON object.");
  }
  return { fields: merge({ ...body }, path), body };
}

/** A body field that the path already sets would otherwise be overridden silently. */
function merge(fields: Record<string, unknown>, path: Record<string, unknown>): Record<string, unknown> {
  const details = Object.keys(path)
    .filter((field) => Object.hasOwn(fields, field))
    .map((field) => ({ field, message: "belongs only in the path" }));
  const first = details[0];
  if (first) throw new AppError("INVALID_PARAMETERS", `${first.field}: ${first.message}.`, details);
  return { ...fields, ...path };
}

/** Parameters belong in the body, where the approver sees them. */
function refuseQuery(query: URLSearchParams): void {
  const details = [...new Set(query.keys())].map((field) => ({ field, message: "belongs in the body" }));
  const first = details[0];
  if (!first) return;
  throw new AppError("INVALID_PARAMETERS", `${first.field}: ${first.message}.`, details);
}

/** A single-value field given twice is refused: guessing which one the caller means is not safe. */
function readQuery(operation: Operation, query: URLSearchParams): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (operation.listFields.includes(name)) {
      fields.set(name, splitList(values));
    } else if (values.length === 1) {
      fields.set(name, values[0]);
    } else {
      const message = "must be given once";
      throw new AppError("INVALID_PARAMETERS", `${name}: ${message}.`, [{ field: name, message }]);
    }
  }
  // Built from entries: plain assignment would drop a field named __proto__ instead of refusing it.
  return Object.fromEntries(fields);
}

/** The token after `Bearer` in the `Authorization` header; any number of spaces between them (RFC 9110, 11.4). */
export function bearerOf(request: { header: (name: string) => string | undefined }): string | undefined {
  return /^Bearer +([\x21-\x7e]{1,200})$/i.exec(request.header("authorization") ?? "")?.[1];
}
