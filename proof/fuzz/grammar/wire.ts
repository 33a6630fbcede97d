import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { hostileSegment } from "@/proof/fuzz/grammar/hostile";
import type { HttpRequest } from "@/proof/fuzz/send";

/** Changes to any HTTP request, whatever it asks for. */
export interface WireChange {
  name: string;
  change: (request: HttpRequest) => HttpRequest;
}

type Header = readonly [name: string, value: string];

export function withHeaders(request: HttpRequest, ...headers: Header[]): HttpRequest {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = request.headers.filter(([name]) => !names.has(name.toLowerCase()));
  return { ...request, headers: [...kept, ...headers] };
}

const CONTENT_TYPES = [
  "",
  "text/plain",
  "text/html",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  `multipart/form-data; boundary=${"x".repeat(300)}`,
  "application/json; charset=utf-7",
  "application/json; charset=utf-16",
  `application/json;charset=${"x".repeat(500)}`,
  "application/json, text/plain",
  "application/vnd.api+json",
  "text/plain;charset=UTF-8",
  "application/octet-stream",
  "\xff\xfe",
  "json",
  "/",
];

/** Half a header block of Node's 16 KiB. */
const LONG = "x".repeat(8_000);

const MORE_HEADERS: readonly (readonly Header[])[] = [
  ...CONTENT_TYPES.map((type): Header[] => [["Content-Type", type]]),
  [["Content-Encoding", "gzip"]],
  [["Content-Encoding", "br, gzip, identity"]],
  [["Content-Encoding", "aes128gcm"]],
  [["Expect", "something-else"]],
  [["Range", "bytes=0-,1-,2-,5-99999999999999999999"]],
  [["Accept", "*/*;q=nan,,,;q=2"]],
  [["Accept-Language", `${"de-DE,".repeat(500)}`]],
  [["Accept-Language", "xx-\xff, *;q=9"]],
  [["Accept-Encoding", "zstd;q=1, *;q=0"]],
  [["Accept-Encoding", "identity;q=0, *;q=0"]],
  [["If-None-Match", `"${LONG}"`]],
  [["If-Modified-Since", "yesterday"]],
  [["If-Match", "*"]],
  [["Host", "evil.example"]],
  [["Host", ""]],
  [["Host", "localhost:99999"]],
  [["Host", "[::1"]],
  [["Host", "a/b?c#d@e"]],
  [["Host", "\xff"]],
  [["X-Forwarded-Host", "evil.example"]],
  [["X-Forwarded-Host", "a b"]],
  [["X-Forwarded-Proto", "gopher"]],
  [["X-Forwarded-For", `${"1.1.1.1, ".repeat(300)}\xff`]],
  [["Forwarded", 'for="_x";host=evil.example']],
  [["X-HTTP-Method-Override", "DELETE"]],
  [["X-Sluice-Client-Address", "127.0.0.1"]],
  [["X-Middleware-Subrequest", "middleware:middleware:middleware:middleware:middleware"]],
  [["X-Invoke-Path", "/settings"]],
  [["X-Matched-Path", "/settings"]],
  [["X-Now-Route-Matches", "1=x"]],
  [["Next-Resume", "1"]],
  [["X-Nextjs-Data", "1"]],
  [["Purpose", "prefetch"]],
  [["Origin", "null"]],
  [["Origin", "https://evil.example"]],
  [["Origin", "\xff"]],
  [["Referer", `http://localhost/${LONG}`]],
  [["Cookie", `a=${LONG}`]],
  [["Cookie", ";;;=;a;=b;\xff=\xff"]],
  [["Cookie", "next-auth.session-token=%%%; next-auth.csrf-token=a|b|c"]],
  [["Cookie", "theme=%E0%A4%A; sluice-theme=x"]],
  [["Upgrade", "h2c"]],
  [["Upgrade-Insecure-Requests", "\x80"]],
  [["Idempotency-Key", ""]],
  [["Idempotency-Key", " "]],
  [["Idempotency-Key", "x".repeat(5_000)]],
  [["Idempotency-Key", "\xe4\xf6\xfc"]],
  [
    ["Idempotency-Key", "a"],
    ["idempotency-key", "b"],
  ],
  [["X-Called-Reason", "\xe2\x80\xaegnp"]],
  [["X-Called-Reason", "\xff\xfe"]],
  [["X-Called-Reason", "a\tb"]],
  [["X-Called-Reason", LONG]],
  [["Traceparent", "00-00000000000000000000000000000000-0000000000000000-00"]],
  [["Traceparent", "zz"]],
  [["Baggage", LONG]],
  Array.from({ length: 400 }, (_, index): Header => [`X-More-${index}`, "1"]),
  Array.from({ length: 90 }, (): Header => ["X-Same", "1"]),
];

const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "PURGE",
  "LOCK",
  "M-SEARCH",
];

const COMPRESSIONS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body),
};

const PATH_TRICKS: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.replace(/\/(?=[^/]*$)/, "//"),
  (path) => path.replace(/\/(?=[^/]*$)/, "/./"),
  (path) => path.replace(/\/(?=[^/]*$)/, "/x/../"),
  (path) => path.replace(/\/(?=[^/]*$)/, "/%2e%2e/"),
  (path) => path.replace(/\/(?=[^/]*$)/, "%2f"),
  (path) => path.replace(/\/(?=[^/]*$)/, "\\"),
  (path) => `${path};jsessionid=1`,
  (path) => `${path}%00`,
  (path) => `${path}%0d%0aX:%20y`,
  (path) => `${path}%`,
  (path) => `${path}%ff`,
  (path) => `${path}.json`,
  (path) => `${path}/index.html`,
  (path) => `${path}.rsc`,
  (path) => `${path}.txt`,
  (path) => path.toUpperCase(),
  (path) => `${path}\xff`,
  (path) => `${path}/${"a/".repeat(1_500)}`,
  (path) => `${path}/${"x".repeat(7_000)}`,
  (path) => `http://evil.example${path}`,
  (path) => `http://user:pass@127.0.0.1:1${path}`,
  (path) => `${path}#fragment`,
];

/** @returns path and query separately */
function splitTarget(target: string): [path: string, query: string] {
  const at = target.indexOf("?");
  return at < 0 ? [target, ""] : [target.slice(0, at), target.slice(at)];
}

const query = fc.oneof(
  fc.webQueryParameters(),
  fc.constantFrom(
    "",
    "&",
    "=",
    "?",
    "a",
    "a=%",
    "a=%ff",
    "a=%00",
    "a[b]=1&a[]=2",
    "a=1&a=2&a=3",
    "__proto__=1&constructor=2",
    "page=1&page=2",
    "a=%ed%a0%80",
    "x".repeat(7_000),
    "a=1&".repeat(1_200),
  ),
);

/** One change to a request in transit. */
export const wireChange: fc.Arbitrary<WireChange> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(...MORE_HEADERS).map((headers) => ({
      name: `header ${headers[0]?.[0]}`,
      change: (request: HttpRequest) => withHeaders(request, ...headers),
    })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...METHODS).map((method) => ({
      name: `method ${method}`,
      change: (request: HttpRequest) => ({ ...request, method }),
    })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...PATH_TRICKS.keys()).map((trick) => ({
      name: `path trick ${trick}`,
      change: (request: HttpRequest) => {
        const [path, rest] = splitTarget(request.target);
        return { ...request, target: `${PATH_TRICKS[trick]?.(path) ?? path}${rest}` };
      },
    })),
  },
  {
    weight: 2,
    arbitrary: query.map((more) => ({
      name: "query",
      change: (request: HttpRequest) => ({
        ...request,
        target: `${request.target}${request.target.includes("?") ? "&" : "?"}${sendable(more)}`,
      }),
    })),
  },
  {
    weight: 1,
    arbitrary: hostileSegment.map((segment) => ({
      name: "path segment",
      change: (request: HttpRequest) => {
        const [path, rest] = splitTarget(request.target);
        return { ...request, target: `${path.replace(/[^/]*$/, "")}${sendable(segment)}${rest}` };
      },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...Object.keys(COMPRESSIONS)).map((encoding) => ({
      name: `body in ${encoding}`,
      change: (request: HttpRequest) => {
        const body = request.body && (COMPRESSIONS[encoding]?.(request.body) ?? request.body);
        return withHeaders({ ...request, body }, ["Content-Encoding", encoding]);
      },
    })),
  },
  {
    weight: 1,
    arbitrary: fc.nat(30).map((leavesAfterMs) => ({
      name: "leaves",
      change: (request: HttpRequest) => ({ ...request, leavesAfterMs }),
    })),
  },
);

/** Node's own client refuses other characters in a target; the raw transport sends them. */
function sendable(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(Buffer.from(character).toString()));
}
