import { hash } from "node:crypto";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context as HonoContext } from "hono";
import type { IncomingRequest } from "@/lib/api/http/incoming-request";
import { type OutgoingResponse, runPipeline } from "@/lib/api/http/pipeline";
import { readJson } from "@/lib/api/http/read-body";
import { whenClosed } from "@/lib/api/http/when-closed";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import type { OperationServices } from "@/lib/api/operations/run-operation";
import { operations } from "@/lib/api/operations/table";
import { newRequestId } from "@/lib/platform/ids";
import { newFacts, type RequestBindings } from "@/lib/platform/observe/request-facts";

export const API_BASE_PATH = "/platform/v1";

/** The HTTP API: every row of the operation table at its path, plain-text 404 for everything else. */
export function createApi(services: OperationServices): Hono<{ Bindings: RequestBindings }> {
  const app = new Hono<{ Bindings: RequestBindings }>();
  for (const operation of operations) {
    app.on(operation.method, `${API_BASE_PATH}${operation.path}`, async (c) => {
      // Hono answers HEAD from GET routes; here HEAD is an unlisted method.
      if (c.req.raw.method !== operation.method) return notListed(c);
      const request = toIncomingRequest(c);
      request.facts.route = `${API_BASE_PATH}${operation.path}`;
      return send(c, await runPipeline(services, operation, request));
    });
  }
  app.get(`${API_BASE_PATH}${OPENAPI_PATH}`, serveOpenApi(services.appUrl, API_BASE_PATH));
  app.notFound(notListed);
  return app;
}

/**
 * Through Node's own response where there is one: a web `Response` makes a stream of its body, which is then read again
 * (docs/performance.md).
 */
function send(c: HonoContext<{ Bindings: RequestBindings }>, { status, headers, body }: OutgoingResponse) {
  const text = JSON.stringify(body);
  const sent = { ...headers, "Content-Type": "application/json", "Cache-Control": "no-store" };
  const outgoing = c.env?.outgoing;
  if (!outgoing) return new Response(text, { status, headers: sent });
  outgoing.writeHead(status, { ...sent, "Content-Length": Buffer.byteLength(text) });
  outgoing.end(text);
  return RESPONSE_ALREADY_SENT;
}

/** Specification, Part 4: "Any method not listed for a path returns a plain-text 404, not a JSON error". */
export function notListed(c: HonoContext<{ Bindings: RequestBindings }>): Response {
  return c.text("Not Found", 404, { "X-Request-Id": c.env?.facts?.requestId ?? newRequestId() });
}

function toIncomingRequest(c: HonoContext<{ Bindings: RequestBindings }>): IncomingRequest {
  const url = new URL(c.req.url);
  return {
    method: c.req.method,
    path: url.pathname,
    pathParameters: c.req.param(),
    query: url.searchParams,
    header: (name) => c.req.header(name),
    readBody: (maximumBytes) => readJson(c.env?.incoming ?? c.req.raw, maximumBytes),
    gone: () => whenClosed(c.env?.outgoing),
    facts: c.env?.facts ?? newFacts(),
  };
}

export const OPENAPI_PATH = "/openapi.json";

/**
 * Serves the OpenAPI document without authentication: it reveals no more than the source. Written for the first request
 * and then kept; a client that sends its ETag gets 304.
 * @param appUrl public address without a trailing slash
 */
function serveOpenApi(appUrl: string, basePath: string): (c: HonoContext) => Response {
  let written: ReturnType<typeof writeOpenApi> | undefined;
  return (c) => {
    // Hono answers HEAD from GET routes; here HEAD is an unlisted method.
    if (c.req.raw.method !== "GET") return c.text("Not Found", 404);
    written ??= writeOpenApi(appUrl, basePath);
    const { body, etag } = written;
    // Cached but revalidated: a new version of Sluice shows at once.
    const headers = { ETag: etag, "Cache-Control": "public, no-cache" };
    const known = (c.req.header("if-none-match") ?? "")
      .split(",")
      .map((tag) => tag.trim().replace(/^W\//, ""));
    if (known.includes(etag) || known.includes("*")) return c.body(null, 304, headers);
    return c.body(body, 200, { ...headers, "Content-Type": "application/json" });
  };
}

function writeOpenApi(appUrl: string, basePath: string): { body: string; etag: string } {
  const body = JSON.stringify(buildOpenApiDocument(operations, appUrl, basePath));
  return { body, etag: `"${hash("sha256", body).slice(0, 32)}"` };
}
