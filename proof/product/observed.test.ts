/**
 * The product as a real process, observed from outside as an operator does: its log, metrics, traces, and how it ends.
 * Promise: what is reported about a request can be found by the number that its caller received; nothing reported
 * contains a secret, an amount, a name or a reason; and what was accepted before the end exists after it.
 */
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { Agent, createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { openEmbeddedEngine } from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { moveAnything, readEverything } from "@/lib/testing/api";
import { buildProgram } from "@/lib/testing/embedded-process";
import { createTestOrganization } from "@/lib/testing/organization";
import {
  findFreePort,
  type ProductProcess,
  removeDataDirectory,
  startProduct,
} from "@/lib/testing/product-process";
import { createRealTimeServices } from "@/lib/testing/services";
import { waitUntil } from "@/lib/testing/wait-until";

const AMOUNT = 7_654_321;
const ACCOUNT_NAME = "Zanzibar reserve";
const REASON = "Because the quetzal flies at dawn";
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

type Scene = Awaited<ReturnType<typeof openScene>>;
let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
}, 120_000);
afterAll(() => scene?.close());

const attributeSchema = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attributeSchema),
});
const exportSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
});

/** What a collector of traces receives. */
async function openCollector() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url === "/v1/traces") bodies.push(Buffer.concat(chunks).toString("utf8"));
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has a port");
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    text: () => bodies.join("\n"),
    spans: () =>
      bodies
        .flatMap((body) => exportSchema.parse(JSON.parse(body)).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    close: () => server.close(),
  };
}

async function openScene() {
  const program = await buildProgram("lib/testing/product-process-main.ts");
  const dataDirectory = await mkdtemp(join(tmpdir(), "sluice-observed-"));
  const engine = await openEmbeddedEngine({ dataDirectory });
  await prepareDatabase(engine);
  const pool = createPool(engine.application);
  const ownerPool = createPool(engine.owner);
  const collector = await openCollector();
  const started: ProductProcess[] = [];
  const organization = await createTestOrganization({ pool, ownerPool }, createRealTimeServices(pool));
  const addAccount = (name: string) =>
    organization.addAccount({ name, type: "POD", balanceInCents: 100_000_000 });
  const body = {
    sourceAccountId: await addAccount(ACCOUNT_NAME),
    destinationAccountId: await addAccount("Taxes"),
    amountInCents: AMOUNT,
    reasonForApproval: REASON,
  };
  const key = await organization.addKey([...readEverything, moveAnything(false)]);
  const start = async (environment: Record<string, string> = {}) => {
    const port = await findFreePort();
    const product = await startProduct({ program: program.path, dataDirectory, port, environment });
    started.push(product);
    return product;
  };
  const close = async () => {
    await Promise.all(started.map((one) => one.kill()));
    await Promise.all([pool.end(), ownerPool.end()]);
    await engine.leave();
    collector.close();
    await removeDataDirectory(dataDirectory);
    await program.remove();
  };
  return { ownerPool, collector, organizationId: organization.organizationId, body, key, start, close };
}

function send(product: ProductProcess, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${product.apiUrl}${path}`, {
    ...init,
    headers: {
      Authorization: `Bearer ${scene.key.text}`,
      "Content-Type": "application/json",
      ...init.headers,
    },
    signal: AbortSignal.timeout(30_000),
  });
}

const move = (product: ProductProcess, headers: Record<string, string> = {}) =>
  send(product, "/transfers", { method: "POST", body: JSON.stringify(scene.body), headers });

const lineSchema = z.looseObject({ level: z.number(), msg: z.string(), requestId: z.string().optional() });

async function linesOf(product: ProductProcess, requestId: string | null) {
  const read = () =>
    product
      .logged()
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => lineSchema.parse(JSON.parse(line)))
      .filter((line) => line.requestId === requestId);
  await waitUntil("the request is logged", () => read().some(({ msg }) => msg.startsWith("request")));
  return read();
}

describe("the log", () => {
  let product: ProductProcess;
  beforeAll(async () => {
    product = await scene.start({ LOG_LEVEL: "info" });
  });
  afterAll(() => product?.kill());

  it("has a line for each request, with its number, its caller and its outcome", async () => {
    const response = await send(product, "/accounts?pageSize=1");
    const { requestId } = z.object({ requestId: z.string() }).parse(await response.json());
    expect(response.headers.get("x-request-id")).toBe(requestId);
    const [line, ...more] = await linesOf(product, requestId);
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      level: 30,
      transport: "api",
      method: "GET",
      route: "/platform/v1/accounts",
      operation: "listAccounts",
      status: 200,
      organizationId: scene.organizationId,
      actor: { kind: "API_KEY", id: scene.key.id },
    });
    expect(line?.durationMs).toBeGreaterThan(0);
  });

  it.each([
    { what: "a stranger", path: "/platform/v1/accounts", status: 401, route: "/platform/v1/accounts" },
    { what: "an unknown address", path: "/platform/v1/nothing", status: 404, route: "(none)" },
    { what: "an unknown page", path: "/invitations/s3cr3t-of-an-invitation", status: 404, route: "(none)" },
    {
      what: "an unknown hook",
      path: "/hooks/rules/s3cr3t-of-a-hook",
      method: "POST",
      status: 401,
      route: "/hooks/rules/:ruleId",
    },
    { what: "a message of nobody", path: "/mcp", method: "POST", status: 401, route: "/mcp" },
  ])(
    "has a line for $what, without the address and without a caller",
    async ({ path, method = "GET", status, route }) => {
      const response = await fetch(`${new URL(product.apiUrl).origin}${path}`, {
        method,
        headers: { Authorization: "Bearer sluice_nobodys-key" },
      });
      expect(response.status).toBe(status);
      const [line] = await linesOf(product, response.headers.get("x-request-id"));
      expect(line).toMatchObject({ status, route });
      expect(line).not.toHaveProperty("organizationId");
      expect(product.logged()).not.toMatch(/s3cr3t|nobodys-key/);
    },
  );

  it("reports an internal error with the number that the caller is asked to quote", async () => {
    await scene.ownerPool.query("revoke select on beneficiaries from sluice_app");
    onTestFinished(async () => {
      await scene.ownerPool.query("grant select on beneficiaries to sluice_app");
    });
    const response = await send(product, "/beneficiaries");
    expect(response.status).toBe(500);
    const requestId = response.headers.get("x-request-id");
    expect(Object(await response.json()).error.message).toContain(`Request id: ${requestId}`);
    const lines = await linesOf(product, requestId);
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [50, "unexpected error"],
      [50, "request failed"],
    ]);
  });

  it("omits probes", async () => {
    expect((await fetch(`${new URL(product.apiUrl).origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${new URL(product.apiUrl).origin}/readyz`)).status).toBe(200);
    expect((await send(product, "/accounts")).status).toBe(200);
    expect(product.logged()).not.toMatch(/healthz|readyz/);
  });
});

describe("a process with LOG_LEVEL=warn and a collector", () => {
  it("logs no successes, and sends the remaining traces at its end", async () => {
    const product = await scene.start({
      LOG_LEVEL: "warn",
      OTEL_EXPORTER_OTLP_ENDPOINT: scene.collector.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: "600000",
    });
    expect((await send(product, "/beneficiaries")).status).toBe(200);
    product.signal("SIGTERM");
    expect(await product.ended).toBe(0);
    expect(product.logged()).not.toContain("{");
    expect(scene.collector.spans().map(({ name }) => name)).toContain("GET /platform/v1/beneficiaries");
  });
});

describe("the metrics and the traces", () => {
  let product: ProductProcess;
  beforeAll(async () => {
    product = await scene.start({
      LOG_LEVEL: "info",
      OTEL_EXPORTER_OTLP_ENDPOINT: scene.collector.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: "100",
    });
    const response = await move(product, { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` });
    expect(response.status).toBe(202);
  });
  afterAll(() => product?.kill());

  it("count requests by pattern, work by kind and transfers by outcome, without any id", async () => {
    const read = async () => await (await fetch(`${new URL(product.apiUrl).origin}/metrics`)).text();
    // Booked as it was accepted, so the worker's share is to seal its audit entry.
    await waitUntil("the transfer is counted, and its audit entry is sealed", async () => {
      const metrics = await read();
      return (
        /sluice_transfers_total\{outcome="COMPLETE"\} 1/.test(metrics) &&
        /sluice_work_items_total\{work="seal-audit"\} [1-9]/.test(metrics)
      );
    });
    const text = await read();
    expect(text).toContain(
      'sluice_http_request_duration_seconds_count{transport="api",route="/platform/v1/transfers",method="POST",status="2xx"} 1',
    );
    expect(text).toContain('sluice_transfers_total{outcome="ACCEPTED"} 1');
    expect(text).toMatch(/sluice_work_items_total\{work="seal-audit"\} [1-9]/);
    expect(text).toMatch(/sluice_work_oldest_due_seconds\{work="book-transfers"\} 0/);
    expect(text).toContain("sluice_database_up 1");
    expect(text).toMatch(/sluice_database_connections\{state="open"\} [1-9]/);
    expect(text).toMatch(/nodejs_eventloop_lag_seconds \d/);
    expect(text).toMatch(/process_resident_memory_bytes \d/);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it("are refused to callers behind a proxy", async () => {
    const response = await fetch(`${new URL(product.apiUrl).origin}/metrics`, {
      headers: { "X-Forwarded-For": "127.0.0.1" },
    });
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain("sluice_");
  });

  it("continue the caller's trace down to each prepared statement, and include the work of the worker", async () => {
    const { collector } = scene;
    const find = (name: string) => collector.spans().find((span) => span.name === name);
    // They leave in batches of every 100 ms: an earlier seal can arrive long before the request's own spans.
    const expected = ["POST /platform/v1/transfers", "createTransfer", "sql create_transfers"];
    await waitUntil("the request and the work are traced", () =>
      [...expected, "work seal-audit", "sql seal_audit_entries"].every((name) => find(name) !== undefined),
    );
    const request = find("POST /platform/v1/transfers");
    expect(request).toMatchObject({ traceId: TRACE_ID, parentSpanId: "00f067aa0ba902b7" });
    const operation = find("createTransfer");
    expect(operation).toMatchObject({ traceId: TRACE_ID, parentSpanId: request?.spanId });
    expect(find("sql create_transfers")).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: operation?.spanId,
    });
    const work = find("work seal-audit");
    expect(find("sql seal_audit_entries")).toMatchObject({
      traceId: work?.traceId,
      parentSpanId: work?.spanId,
    });
    const attributes = Object.fromEntries(request?.attributes.map(({ key, value }) => [key, value]) ?? []);
    expect(attributes).toMatchObject({
      "http.response.status_code": { intValue: 202 },
      "sluice.organization_id": { stringValue: scene.organizationId },
    });
  });

  it("contain no amount, name, reason or key, nor does the log", () => {
    expect(scene.collector.text().length).toBeGreaterThan(1_000);
    for (const reported of [scene.collector.text(), product.logged()]) {
      for (const secret of [String(AMOUNT), ACCOUNT_NAME, REASON, scene.key.text]) {
        expect(reported).not.toContain(secret);
      }
    }
  });
});

describe("a process that is asked to end", () => {
  // The only one then that could wait for an account.
  const API = { SLUICE_ROLES: "api", APP_URL: "http://localhost:3000" };

  /** A transfer that waits because its account is locked; it continues once released. */
  async function arrangeSlowTransfer(product: ProductProcess) {
    const holder = await scene.ownerPool.connect();
    let isHeld = true;
    const letGo = async () => {
      if (isHeld) await holder.query("commit");
      isHeld = false;
    };
    onTestFinished(async () => {
      await letGo();
      holder.release();
    });
    await holder.query("begin");
    await holder.query("select from ledgers where organization_id = $1 for update", [scene.organizationId]);
    const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
    const holderPid = rows[0]?.pid;
    const answer = move(product).catch((cause: unknown) => new Error("It was not answered", { cause }));
    await waitUntil("the transfer waits", async () => {
      // For this lock: any other wait in the cluster would let the process end before it accepted the request.
      const { rowCount } = await scene.ownerPool.query(
        `select from pg_stat_activity
         where $1 = any (pg_blocking_pids(pid))`,
        [holderPid],
      );
      return rowCount !== 0;
    });
    return { answer, letGo };
  }

  it("tells load balancers, answers what it has accepted, and ends without losing anything", async () => {
    // Longer than three requests take on a busy machine: it must answer all of them before it closes.
    const product = await scene.start({ ...API, SLUICE_DRAIN_SECONDS: "10", LOG_LEVEL: "info" });
    const { answer, letGo } = await arrangeSlowTransfer(product);
    product.signal("SIGTERM");
    const origin = new URL(product.apiUrl).origin;
    await waitUntil("it says that it stops", async () => (await fetch(`${origin}/readyz`)).status === 503);
    expect(await (await fetch(`${origin}/readyz`)).text()).toBe("stopping");
    // Callers that ignore readiness are still served.
    expect((await send(product, "/beneficiaries")).headers.get("connection")).toBe("close");
    await letGo();
    const response = await answer;
    // Not `instanceof Response`: a test that ran before in this process may have replaced the global one.
    if (response instanceof Error) throw response;
    expect(response.status).toBe(202);
    const { id } = Object(await response.json()).data;
    expect(await product.ended).toBe(0);
    expect(product.logged()).toContain('"msg":"stopped"');
    const { rowCount } = await scene.ownerPool.query("select from transfers where id = $1", [id]);
    expect(rowCount).toBe(1);
  });

  it("cuts off no caller that sends one request after another on its connection", async () => {
    const product = await scene.start({ ...API, LOG_LEVEL: "info" });
    const agent = new Agent({ keepAlive: true });
    const answers = Array.from({ length: 8 }, () => 0);
    const callers = answers.map(async (_, caller) => {
      for (;;) {
        const failure = await failureOf(new URL(product.apiUrl), agent);
        if (failure) return failure;
        answers[caller] = (answers[caller] ?? 0) + 1;
      }
    });
    await waitUntil("each was answered", () => answers.every((count) => count > 0));
    product.signal("SIGTERM");
    // A new connection is refused in the end; one that was answered before is never reset.
    expect(await Promise.all(callers)).toEqual(callers.map(() => ({ wasOpen: false })));
    expect(await product.ended).toBe(0);
  });

  it("does not wait for keep-alive connections once their answers are sent", async () => {
    const product = await scene.start({ ...API, LOG_LEVEL: "info" });
    // undici keeps it alive.
    expect((await send(product, "/beneficiaries")).status).toBe(200);
    const { answer, letGo } = await arrangeSlowTransfer(product);
    product.signal("SIGINT");
    await letGo();
    expect(await answer).toMatchObject({ status: 202 });
    expect(await product.ended).toBe(0);
    expect(product.logged()).toContain('"msg":"stopped"');
    expect(product.logged()).not.toContain("cut off");
  });

  it("twice ends at once, whatever is in progress", async () => {
    const product = await scene.start({ ...API, LOG_LEVEL: "info" });
    const { answer } = await arrangeSlowTransfer(product);
    product.signal("SIGTERM");
    await waitUntil("it heard", () => product.logged().includes('"msg":"stopping"'));
    product.signal("SIGTERM");
    expect(await product.ended).toBe(143);
    expect(await answer).toBeInstanceOf(Error);
  });
});

/** Sends a request. @returns null for an answer, else whether its connection was open from an earlier one */
function failureOf({ hostname, port }: URL, agent: Agent): Promise<{ wasOpen: boolean } | null> {
  return new Promise((resolve) => {
    const sent = request({ hostname, port, path: "/healthz", agent }, (response) => {
      response.resume().once("end", () => resolve(null));
    });
    sent.once("error", () => resolve({ wasOpen: sent.reusedSocket }));
    sent.end();
  });
}
