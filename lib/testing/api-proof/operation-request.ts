import type { Operation } from "@/lib/api/operations/operation";

/** An operation's input over the wire. */
export interface WireRequest {
  method: string;
  /** Below `/platform/v1`, with its query. */
  path: string;
  /** Undefined where there is none. */
  body: Record<string, unknown> | undefined;
}

/** Puts the fields of a flat input where the operation takes them: path, query or body. */
export function toWire(operation: Operation, input: Record<string, unknown>): WireRequest {
  const rest = new Map(Object.entries(input));
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    // Half a surrogate pair has no escape; it goes the way that any client would send it.
    return encodeURIComponent(Buffer.from(textOf(value)).toString());
  });
  if (operation.method !== "GET") return { method: operation.method, path, body: Object.fromEntries(rest) };
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) query.append(name, textOf(one));
    }
  }
  const text = query.toString();
  return { method: "GET", path: text ? `${path}?${text}` : path, body: undefined };
}

/** An object without a prototype has no text of its own. */
function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

export function pathNames(operation: Pick<Operation, "path">): string[] {
  return [...operation.path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}
