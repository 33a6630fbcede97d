import { hash } from "node:crypto";
import type { Context as HonoContext } from "hono";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { operations } from "@/lib/api/operations/table";

export const OPENAPI_PATH = "/openapi.json";

/**
 * Answers the OpenAPI document, to anybody: it says nothing that the code does not. Built once; a client that has it
 * sends its ETag and gets 304.
 * @param appUrl public address without a trailing slash
 */
export function serveOpenApi(appUrl: string, basePath: string): (c: HonoContext) => Response {
  const body = JSON.stringify(buildOpenApiDocument(operations, appUrl, basePath));
  const etag = `"${hash("sha256", body).slice(0, 32)}"`;
  // Kept by caches, and asked for again each time: a new version of Sluice shows at once.
  const headers = { ETag: etag, "Cache-Control": "public, no-cache" };
  return (c) => {
    // Hono answers HEAD from GET routes; here it is a method that is not listed.
    if (c.req.raw.method !== "GET") return c.text("Not Found", 404);
    const known = (c.req.header("if-none-match") ?? "")
      .split(",")
      .map((tag) => tag.trim().replace(/^W\//, ""));
    if (known.includes(etag) || known.includes("*")) return c.body(null, 304, headers);
    return c.body(body, 200, { ...headers, "Content-Type": "application/json" });
  };
}
