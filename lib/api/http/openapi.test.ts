import { beforeAll, describe, expect, it } from "vitest";
import { createTestApi } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();
let call: ReturnType<typeof createTestApi>;
beforeAll(async () => {
  call = createTestApi(createTestServices(database).services);
});

describe("GET /openapi.json", () => {
  it("gives the document to anyone, with this installation as server", async () => {
    const response = await call(null, "GET", "/openapi.json");
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      openapi: "3.1.1",
      info: { version: "1.0.0" },
      servers: [{ url: "http://localhost:3000/platform/v1" }],
    });
  });

  it("is 304 for a client that has it, and complete for one with another version", async () => {
    const first = await call(null, "GET", "/openapi.json");
    const etag = first.headers.get("etag") ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await call(null, "GET", "/openapi.json", { headers: { "If-None-Match": known } });
      expect([known, again.status, again.text]).toEqual([known, 304, ""]);
    }
    const other = await call(null, "GET", "/openapi.json", { headers: { "If-None-Match": '"other"' } });
    expect(other.status).toBe(200);
    expect(other.headers.get("cache-control")).toBe("public, no-cache");
  });

  it.each(["HEAD", "POST", "OPTIONS"])("is not there for %s", async (method) => {
    const response = await call(null, method, "/openapi.json");
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  });
});
