import { Hono, type Context as HonoContext } from "hono";
import { OPENAPI_PATH, serveOpenApi } from "@/lib/api/http/openapi";
import { type IncomingRequest, runPipeline } from "@/lib/api/http/pipeline";
import { readJson } from "@/lib/api/http/read-body";
import type { OperationServices } from "@/lib/api/operations/run-operation";
import { operations } from "@/lib/api/operations/table";
import { newRequestId } from "@/lib/platform/ids";
import { newFacts, type RequestBindings } from "@/lib/platform/observe/request-facts";

export const API_BASE_PATH = "/platform/v1";

/** The door for programs: every row of the operation table at its path, and plain-text 404 for everything else. */
export function createApi(services: OperationServices): Hono<{ Bindings: RequestBindings }> {
  const app = new Hono<{ Bindings: RequestBindings }>();
  for (const operation of operations) {
    app.on(operation.method, `${API_BASE_PATH}${operation.path}`, async (c) => {
      // Hono answers HEAD from GET routes; here it is a method that is not listed.
      if (c.req.raw.method !== operation.method) return notListed(c);
      const request = toIncomingRequest(c);
      request.facts.route = `${API_BASE_PATH}${operation.path}`;
      const response = await runPipeline(services, operation, request);
      return new Response(JSON.stringify(response.body), {
        status: response.status,
        headers: { ...response.headers, "Content-Type": "application/json", "Cache-Control": "no-store" },
      });
    });
  }
  app.get(`${API_BASE_PATH}${OPENAPI_PATH}`, serveOpenApi(services.appUrl, API_BASE_PATH));
  app.notFound(notListed);
  return app;
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
    readBody: () => readJson(c.env?.incoming ?? c.req.raw),
    facts: c.env?.facts ?? newFacts(),
  };
}
