import fc from "fast-check";
import type { HttpRequest } from "@/proof/fuzz/send";

/** A plain request, completed by a transport. */
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

/** Node's own client refuses other characters in a target; the raw transport sends them. */
function escapeTarget(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(Buffer.from(character).toString()));
}

/** A query of these fields, repeated for each of their values. */
export function queryText(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&");
}

function escaped(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).slice(0, 6_000);
}

/** Something once in so many requests; otherwise null. */
export function sometimes<T>(oneIn: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

/** What no value expresses but JSON text can: endless numbers, duplicate keys, invalid UTF-8. */
const SPOILERS: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text.replace(/:\s*-?\d+(\.\d+)?/, ":1e400")),
  (text) => Buffer.from(text.replace(/:\s*-?\d+(\.\d+)?/, ":-0")),
  (text) => Buffer.from(text.replace(/:\s*-?\d+(\.\d+)?/, ":1e-400")),
  (text) => Buffer.from(text.replace(/:\s*-?\d+(\.\d+)?/, ":9007199254740993")),
  (text) => Buffer.from(text.replace(/:\s*-?\d+(\.\d+)?/, `:${"9".repeat(5_000)}`)),
  (text) => Buffer.from(text.replace(/:\s*-?\d+(\.\d+)?/, ":00012")),
  (text) => Buffer.from(text.replace(/:\s*-?\d+(\.\d+)?/, ":NaN")),
  (text) => Buffer.from(text.replace(/"(\w+)":([^,}\]]+)/, '"$1":$2,"$1":null')),
  (text) => Buffer.from(text.replace(/"(\w+)":([^,}\]]+)/, '"$1":"other","$1":$2')),
  (text) => Buffer.from(text.replace(/^\{/, '{"__proto__":{"simulation":true,"isAdmin":true},')),
  (text) => Buffer.from(text.replace(/":"[^"]*"/, '":"\\ud800"')),
  (text) => Buffer.from(text.replace(/":"[^"]*"/, '":"\\u0000"')),
  (text) => Buffer.from(text.replace(/":"[^"]*"/, '":"\u0007"')),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`${text}${text}`),
  (text) => Buffer.from(`${text},`),
  (text) => Buffer.from(`/* a */${text}`),
  (text) => Buffer.from(text.replaceAll('"', "'")),
  (text) => Buffer.from(text.slice(0, Math.floor(text.length / 2))),
  (text) => Buffer.from(text, "utf16le"),
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0xc0, 0xaf])]),
  (text) => Buffer.from(text.replace(/":"/, '":"\xff'), "latin1"),
  (text) => Buffer.from(`${" ".repeat(60_000)}${text}`),
  () => Buffer.from("[".repeat(30_000)),
  () => Buffer.from('{"a":'.repeat(9_000)),
  () => Buffer.from(`${"[".repeat(5_000)}${"]".repeat(5_000)}`),
  () => Buffer.from(`{"a":"${"x".repeat(65_530)}"}`),
  () => Buffer.alloc(64 * 1024 + 1, 0x20),
  () => Buffer.alloc(300 * 1024, 0x41),
  () => Buffer.alloc(0),
  () => Buffer.from([0]),
  () => Buffer.from("null"),
  () => Buffer.from("7"),
  () => Buffer.from("[]"),
  () => Buffer.from('"text"'),
];

/** One of the ways to spoil the text of a JSON body. */
export const jsonSpoiler: fc.Arbitrary<(text: string) => Buffer> = fc.constantFrom(...SPOILERS);
