/**
 * Samples are copied into programs that move money: each must send the request that its page describes. Python and Go
 * run here as they are shown.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { loadPyodide } from "pyodide";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { API_BASE_PATH } from "@/lib/api/http/app";
import { describeAssistants } from "@/lib/api/mcp/tools";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { describeReference } from "@/lib/api/openapi/describe-reference";
import { operations } from "@/lib/api/operations/table";
import { runGo } from "@/lib/testing/run-go";

const KEY = "sluice_of_the_reader";
const INTENT = "one-per-intent-kept-for-retries";

interface Sent {
  method: string;
  path: string;
  query: Record<string, string[]>;
  authorization: string | undefined;
  intent: string | undefined;
  body: unknown;
}

/** What the table of operations says, whatever the samples do. */
const EXPECTED = operations.map((operation): [string, Sent] => {
  const { operationId, method, path, example, isIdempotent } = operation;
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name));
  const others = Object.entries(example.request).filter(([name]) => !inPath.has(name));
  const query = others.map(([name, value]) => [name, [value].flat().map(String)]);
  return [
    operationId,
    {
      method,
      path: `${API_BASE_PATH}${path.replace(/:(\w+)/g, (_, name) => String(example.request[name]))}`,
      query: method === "GET" ? Object.fromEntries(query) : {},
      authorization: `Bearer ${KEY}`,
      intent: isIdempotent ? INTENT : undefined,
      body: method === "GET" ? null : Object.fromEntries(others),
    },
  ];
});

function samplesAt(origin: string) {
  const document = buildOpenApiDocument(operations, origin, API_BASE_PATH);
  const { chapters } = describeReference(document, "/openapi.json", describeAssistants(origin));
  const views = chapters.flatMap((chapter) => chapter.operations);
  return operations.map(({ operationId }) => {
    const view = views.find((one) => one.operationId === operationId);
    if (!view) throw new Error(`The reference lacks ${operationId}`);
    return { operationId, ...view.samples };
  });
}

const readUrl = (url: string) => {
  const { pathname, searchParams } = new URL(url, "http://sluice.test");
  const names = [...new Set(searchParams.keys())];
  return {
    path: pathname,
    query: Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)])),
  };
};

const calledSchema = z.array(
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    timeout: z.number(),
    body: z.unknown(),
  }),
);

/** In place of the library `requests`, which WebAssembly has no network for. */
const FAKE_REQUESTS = `
import json, os, sys, types
called = []
class Response:
    status_code = 200
    def json(self):
        return {}
def sender(method):
    def send(url, headers, timeout, json=None):
        called.append({"method": method, "url": url, "headers": headers, "timeout": timeout, "body": json})
        return Response()
    return send
sys.modules["requests"] = types.ModuleType("requests")
for method in ("GET", "POST", "PUT"):
    setattr(sys.modules["requests"], method.lower(), sender(method))
os.environ["SLUICE_KEY"] = key
for sample in json.loads(samples):
    exec(sample, {})
json.dumps(called)`;

it("in Python sends what the operation takes", async () => {
  const samples = samplesAt("http://sluice.test");
  const python = await loadPyodide({ stdout: () => {} });
  python.globals.set("key", KEY);
  python.globals.set("samples", JSON.stringify(samples.map((one) => one.python)));
  const called = calledSchema.parse(JSON.parse(python.runPython(FAKE_REQUESTS)));
  const sent = called.map(({ method, url, headers, body }, index): [string | undefined, Sent] => [
    samples[index]?.operationId,
    {
      method,
      ...readUrl(url),
      authorization: headers.Authorization,
      intent: headers["idempotency-key"],
      body,
    },
  ]);
  expect(sent).toEqual(EXPECTED);
  expect(called.every(({ timeout }) => timeout > 0)).toBe(true);
  // Python comes as 10 MB of WebAssembly, which a busy machine takes its time to compile.
}, 180_000);

async function receive(request: IncomingMessage): Promise<Sent> {
  const body = await text(request);
  if (body) expect(request.headers["content-type"]).toBe("application/json");
  return {
    method: request.method ?? "",
    ...readUrl(request.url ?? ""),
    authorization: request.headers.authorization,
    intent: z.string().optional().parse(request.headers["idempotency-key"]),
    body: body ? JSON.parse(body) : null,
  };
}

it("in Go sends what the operation takes, and pleases its vet", async () => {
  const received: Sent[] = [];
  const server = createServer(async (request, response) => {
    received.push(await receive(request));
    response.end('{ "data": {} }');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const workplace = await mkdtemp(join(tmpdir(), "sluice-samples-"));
  onTestFinished(() => rm(workplace, { recursive: true }));
  const { port } = z.object({ port: z.number() }).parse(server.address());

  const samples = samplesAt(`http://127.0.0.1:${port}`);
  await writeFile(join(workplace, "go.mod"), "module samples\n\ngo 1.19\n");
  for (const { operationId, go } of samples) {
    await mkdir(join(workplace, operationId));
    await writeFile(join(workplace, operationId, "main.go"), go);
  }
  await runGo(["vet", "./..."], workplace);
  // Building takes a second for each: every write, and one read with a query.
  const run = EXPECTED.filter(([name, { method }]) => method !== "GET" || name === "listTransfers");
  await runGo(["build", "-o", "bin/", ...run.map(([name]) => `./${name}`)], workplace);
  const env = { ...process.env, SLUICE_KEY: KEY };
  for (const [name] of run) {
    const { stdout } = await promisify(execFile)(join(workplace, "bin", name), { env });
    expect(stdout).toBe('200 OK { "data": {} }\n');
  }
  expect(run.map(([name], index) => [name, received[index]])).toEqual(run);
  // Compiles Go's HTTP client the first time.
}, 600_000);
