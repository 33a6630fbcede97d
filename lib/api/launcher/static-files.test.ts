import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStaticFiles } from "@/lib/api/launcher/static-files";

const SCRIPT = "globalThis.sluice = true;".repeat(50);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-static-"));
  await mkdir(join(folder, "static", "chunks"), { recursive: true });
  await writeFile(join(folder, "secret.js"), "const secret = 1;");
  await writeFile(join(folder, "static", "chunks", "a.js"), SCRIPT);
  await writeFile(join(folder, "static", "chunks", "a.js.br"), brotliCompressSync(SCRIPT));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const ask = (path: string, headers: Record<string, string> = {}) =>
  createStaticFiles(join(folder, "static")).request(path, { headers });

test("a script arrives as the build compressed it, and is kept for a year", async () => {
  const answer = await ask("/_next/static/chunks/a.js", { "Accept-Encoding": "gzip, br" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-encoding")).toBe("br");
  expect(answer.headers.get("vary")).toContain("Accept-Encoding");
  expect(answer.headers.get("content-type")).toContain("javascript");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe(SCRIPT);
});

test("a client that cannot unpack gets the script as it is", async () => {
  const answer = await ask("/_next/static/chunks/a.js");
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(await answer.text()).toBe(SCRIPT);
});

test.each([
  "/_next/static/../secret.js",
  "/_next/static/%2e%2e/secret.js",
  "/_next/static/..%2fsecret.js",
  "/_next/static//../secret.js",
  "/_next/static/chunks/b.js",
  "/secret.js",
])("%s leads out of the folder or nowhere, and is not found", async (path) => {
  expect((await ask(path)).status).toBe(404);
});
