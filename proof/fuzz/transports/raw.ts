import fc from "fast-check";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest, RawRequest } from "@/proof/fuzz/send";

type Part = RawRequest["parts"][number];
type Case = readonly [shape: string, end: RawRequest["end"], ...parts: Part[]];

const part = (text: string, pauseMs = 0): Part => ({ bytes: Buffer.from(text, "latin1"), pauseMs });
const END = "Connection: close\r\n\r\n";

/** Bytes on a socket: malformed HTTP, HTTP that two parsers read differently, and callers that stop in the middle. */
export function rawRequests({ keys, sessions }: Scene): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      key: fc.constantFrom(...keys.full),
      session: fc.constantFrom(...sessions),
      path: fc.constantFrom(
        "/platform/v1/accounts",
        "/mcp",
        "/",
        "/rules",
        "/oauth/token",
        "/healthz",
        "/live",
      ),
      pauseMs: fc.integer({ min: 0, max: 30 }),
      noise: fc.uint8Array({ minLength: 1, maxLength: 400 }),
      pick: fc.nat(1_000),
    })
    .map(({ key, session, path, pauseMs, noise, pick }) => {
      const whole = `Host: localhost\r\nAuthorization: Bearer ${key}\r\nCookie: ${session.cookie}\r\n`;
      const cases = [...brokenHttp(path, whole), ...halves(path, whole, pauseMs), ...lengths(path, whole)];
      const [shape, end, ...parts] =
        [...cases, ["noise", "READ", toPart(noise)] as const][pick % (cases.length + 1)] ?? noCase();
      return { transport: "raw", shape, contract: "NONE", sent: { kind: "RAW", parts, end } };
    });
}

function toPart(bytes: Uint8Array): Part {
  // Something must end the request line, or the parser waits for it.
  return { bytes: Buffer.concat([bytes, Buffer.from("\r\n\r\n")]), pauseMs: 0 };
}

function noCase(): never {
  throw new Error("There is a case of each number");
}

/** The server reports malformed HTTP, or answers what it parsed, and closes. */
function brokenHttp(path: string, head: string): Case[] {
  return [
    ["no version", "READ", part(`GET ${path}\r\n${head}${END}`)],
    ["another version", "READ", part(`GET ${path} HTTP/3.7\r\n${head}${END}`)],
    ["version 1.0", "READ", part(`GET ${path} HTTP/1.0\r\n${head}${END}`)],
    ["no host", "READ", part(`GET ${path} HTTP/1.1\r\n${END}`)],
    ["two hosts", "READ", part(`GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${END}`)],
    ["HTTP/2", "READ", part("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")],
    ["TLS", "READ", part("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")],
    ["a method in small letters", "READ", part(`get ${path} HTTP/1.1\r\n${head}${END}`)],
    ["CONNECT", "READ", part(`CONNECT evil.example:443 HTTP/1.1\r\n${head}${END}`)],
    ["OPTIONS *", "READ", part(`OPTIONS * HTTP/1.1\r\n${head}${END}`)],
    ["GET *", "READ", part(`GET * HTTP/1.1\r\n${head}${END}`)],
    ["an empty target", "READ", part(`GET  HTTP/1.1\r\n${head}${END}`)],
    ["a target without a slash", "READ", part(`GET x HTTP/1.1\r\n${head}${END}`)],
    ["a target with only a query", "READ", part(`GET ?a=b HTTP/1.1\r\n${head}${END}`)],
    ["two slashes", "READ", part(`GET // HTTP/1.1\r\n${head}${END}`)],
    ["two slashes and a host", "READ", part(`GET //evil.example/%2e%2e HTTP/1.1\r\n${head}${END}`)],
    ["an address with a bad port", "READ", part(`GET http://a:99999/ HTTP/1.1\r\n${head}${END}`)],
    ["an address with a bad host", "READ", part(`GET http://[::1/ HTTP/1.1\r\n${head}${END}`)],
    ["bytes in the target", "READ", part(`GET ${path}\xff\xfe HTTP/1.1\r\n${head}${END}`)],
    ["a space in the target", "READ", part(`GET ${path} x HTTP/1.1\r\n${head}${END}`)],
    ["a NUL in the target", "READ", part(`GET ${path}\x00 HTTP/1.1\r\n${head}${END}`)],
    ["a line feed alone", "READ", part(`GET ${path} HTTP/1.1\nHost: localhost\nConnection: close\n\n`)],
    ["a folded header", "READ", part(`GET ${path} HTTP/1.1\r\n${head}X-A: b\r\n c\r\n${END}`)],
    ["a header without a colon", "READ", part(`GET ${path} HTTP/1.1\r\n${head}X\r\n${END}`)],
    ["a NUL in a header", "READ", part(`GET ${path} HTTP/1.1\r\n${head}X-A: a\x00b\r\n${END}`)],
    ["a space before the colon", "READ", part(`GET ${path} HTTP/1.1\r\n${head}X-A : b\r\n${END}`)],
    [
      "a header without end",
      "READ",
      part(`GET ${path} HTTP/1.1\r\n${head}X-A: ${"x".repeat(70_000)}\r\n${END}`),
    ],
    ["a target without end", "READ", part(`GET /${"x".repeat(70_000)} HTTP/1.1\r\n${head}${END}`)],
    [
      "thousands of headers",
      "READ",
      part(`GET ${path} HTTP/1.1\r\n${head}${"X-A: b\r\n".repeat(3_000)}${END}`),
    ],
    ["a host of bytes", "READ", part(`GET ${path} HTTP/1.1\r\nHost: \xff\x80\r\n${END}`)],
    [
      "an upgrade",
      "READ",
      part(
        `GET ${path} HTTP/1.1\r\n${head}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      ),
    ],
    [
      "an upgrade of Next's",
      "READ",
      part(`GET /_next/webpack-hmr HTTP/1.1\r\n${head}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`),
    ],
    [
      "several at once",
      "READ",
      part(`${`GET ${path} HTTP/1.1\r\n${head}\r\n`.repeat(5)}GET ${path} HTTP/1.1\r\n${head}${END}`),
    ],
  ];
}

/** Bodies whose length differs from the announced one. */
function lengths(path: string, head: string): Case[] {
  const post = `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\n`;
  const chunked = `${post}Transfer-Encoding: chunked\r\n`;
  return [
    ["a negative length", "READ", part(`${post}Content-Length: -1\r\n${END}{}`)],
    ["an invalid length", "READ", part(`${post}Content-Length: x\r\n${END}{}`)],
    ["a length beyond all", "READ", part(`${post}Content-Length: 99999999999999999999999\r\n${END}{}`)],
    ["two lengths", "READ", part(`${post}Content-Length: 2\r\nContent-Length: 3\r\n${END}{}`)],
    ["length and chunks", "READ", part(`${chunked}Content-Length: 2\r\n${END}0\r\n\r\n`)],
    ["an unknown encoding", "READ", part(`${post}Transfer-Encoding: gzip, chunked\r\n${END}0\r\n\r\n`)],
    ["chunked not last", "READ", part(`${post}Transfer-Encoding: chunked, gzip\r\n${END}0\r\n\r\n`)],
    ["a chunk with an invalid length", "READ", part(`${chunked}${END}zz\r\n{}\r\n0\r\n\r\n`)],
    ["a chunk beyond all", "READ", part(`${chunked}${END}ffffffffffffffffff\r\n{}\r\n0\r\n\r\n`)],
    ["a chunk shorter than said", "READ", part(`${chunked}${END}1\r\n{}\r\n0\r\n\r\n`)],
    [
      "a chunk with an extension without end",
      "READ",
      part(`${chunked}${END}2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
    ],
    [
      "trailers",
      "READ",
      part(`${chunked}Trailer: X\r\n${END}2\r\n{}\r\n0\r\nX: y\r\nAuthorization: z\r\n\r\n`),
    ],
    ["trailers without end", "READ", part(`${chunked}${END}2\r\n{}\r\n0\r\n${"X: y\r\n".repeat(4_000)}\r\n`)],
    ["a length shorter than the body", "READ", part(`${post}Content-Length: 2\r\n${END}{}{"a":1}`)],
    ["a body with GET", "READ", part(`GET ${path} HTTP/1.1\r\n${head}Content-Length: 2\r\n${END}{}`)],
    ["a hundred chunks", "READ", part(`${chunked}${END}${"1\r\n \r\n".repeat(100)}2\r\n{}\r\n0\r\n\r\n`)],
    [
      "waits for 100 Continue",
      "READ",
      part(`${post}Expect: 100-continue\r\nContent-Length: 2\r\n${END}`, 20),
      part("{}"),
    ],
  ];
}

/** Callers that stop in the middle of the request or the response. */
function halves(path: string, head: string, pauseMs: number): Case[] {
  const get = `GET ${path} HTTP/1.1\r\n${head}`;
  const post = `POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\n`;
  return [
    ["half a request line", "RESET", part(`GET ${path}`, pauseMs)],
    ["half a head", "RESET", part(get, pauseMs)],
    ["half a body", "RESET", part(`${post}Content-Length: 100\r\n\r\n{"a`, pauseMs)],
    ["half a chunk", "RESET", part(`${post}Transfer-Encoding: chunked\r\n\r\n64\r\n{"a`, pauseMs)],
    ["reset at once", "RESET", part(`${get}\r\n`, 0)],
    ["reset while it is answered", "RESET", part(`${get}\r\n`, pauseMs)],
    ["several, then a reset", "RESET", part(`${get}\r\n`.repeat(8), pauseMs)],
    ["slowly", "READ", part(`GET ${path} HT`, pauseMs), part("TP/1.1\r\n", pauseMs), part(`${head}${END}`)],
    ["a body slowly", "READ", part(`${post}Content-Length: 2\r\n${END}{`, pauseMs), part("}")],
    ["nothing", "RESET", part("", pauseMs)],
  ];
}
