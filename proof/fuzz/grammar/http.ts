import type { HttpRequest } from "@/proof/fuzz/request";

/** A plain request, to which a door adds what it is about. */
export function http(
  method: string,
  target: string,
  headers: HttpRequest["headers"] = [],
  body: Buffer | string | null = null,
): HttpRequest {
  return {
    kind: "HTTP",
    method,
    target: escapeTarget(target),
    headers,
    body: typeof body === "string" ? Buffer.from(body) : body,
    leavesAfterMs: null,
  };
}

/** Node's own client sends no other characters in a target; the raw door does. */
export function escapeTarget(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(Buffer.from(character).toString()));
}

/** A query of these fields, a field as often as it has values. */
export function queryText(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&");
}

function escaped(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).slice(0, 6_000);
}
