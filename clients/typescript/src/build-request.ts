import type { OperationShape } from "./call.js";

interface HeaderValues {
  apiKey: string;
  idempotencyKey: string | null;
  calledReason: string | undefined;
}

export interface BuiltRequest {
  url: string;
  init: { method: string; headers: Record<string, string>; body?: string };
}

/** Splits one flat input into path, query (reads) and body (writes). */
export function buildRequest(
  baseUrl: string,
  operation: OperationShape,
  input: object,
  { apiKey, idempotencyKey, calledReason }: HeaderValues,
): BuiltRequest {
  const fields = new Map<string, unknown>(Object.entries(input));
  let path = operation.path;
  for (const name of operation.pathFields) {
    path = path.replace(`{${name}}`, toSegment(name, String(fields.get(name))));
    fields.delete(name);
  }
  const hasBody = operation.method !== "GET";
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}${path}`);
  if (!hasBody) for (const [name, value] of fields) appendQuery(url.searchParams, name, value);
  const headers: Record<string, string> = { Authorization: `Bearer ${apiKey}`, Accept: "application/json" };
  if (hasBody) headers["Content-Type"] = "application/json";
  if (idempotencyKey !== null) headers["idempotency-key"] = idempotencyKey;
  if (calledReason !== undefined) headers["x-called-reason"] = toHeader(calledReason);
  return {
    url: url.href,
    init: {
      method: operation.method,
      headers,
      ...(hasBody && { body: JSON.stringify(Object.fromEntries(fields)) }),
    },
  };
}

/** Dots would be resolved, sending the request to another operation. */
function toSegment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id, not "${value}"`);
  return encodeURIComponent(value);
}

function appendQuery(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return;
  for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
}

/** Headers carry bytes as Latin-1; the API reads them as UTF-8. */
function toHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
