import { hkdfSync } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import next from "next";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { createDemo } from "@/lib/core/demo/create-demo";
import { dueWork } from "@/lib/core/due-work";
import { CLIENT_ADDRESS_HEADER, clientAddress } from "@/lib/core/members/client-address";
import { setRuntime } from "@/lib/core/runtime";
import { describeStart } from "@/lib/doors/describe-start";
import { API_BASE_PATH, createApi } from "@/lib/doors/http/app";
import { createHealth, HEALTH_PATHS } from "@/lib/doors/http/health";
import { systemClock } from "@/lib/platform/clock";
import { type Config, loadConfig } from "@/lib/platform/config";
import { type Database, openDatabase } from "@/lib/platform/db/database";
import { loadSecret } from "@/lib/platform/db/secret";
import { createLog } from "@/lib/platform/log";
import type { Services } from "@/lib/platform/services";
import { startWork, type WorkRunner } from "@/lib/platform/work";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createMail } from "@/lib/ports/mail/create-mail";
import { createSms } from "@/lib/ports/sms/create-sms";

/** Longer than any request may take; what is still open then is cut off. */
const DRAIN_TIMEOUT_MS = 15_000;

/**
 * Opens the doors: one process with the worker, the API and the dashboard, on the embedded database or yours.
 * @returns what to print once it answers requests.
 */
export async function serve(isDevelopment: boolean): Promise<string> {
  const config = loadConfig(process.env);
  const log = createLog(config.logLevel);
  await mkdir(config.dataDirectory, { recursive: true });
  const secret = await loadSecret(config);
  const database = await openDatabase({ config: { ...config, secret }, log });
  let worker: WorkRunner | null = null;
  const services: Services = {
    pool: database.pool,
    clock: systemClock,
    log,
    appUrl: config.appUrl,
    wake: (name) => worker?.wake(name),
  };
  const ports = {
    bank: createSandboxBank(database.pool),
    mail: createMail(config, database.pool, systemClock),
    sms: createSms(config, database.pool, systemClock),
  };
  setRuntime({
    services,
    sessionSecret: deriveSecret(secret, "sluice sessions"),
    isSandbox: ports.bank.isSandbox,
    hasMailbox: config.mailbox,
  });
  // next-auth takes its own address from the environment.
  process.env.NEXTAUTH_URL = config.appUrl;
  const demo = config.demo ? await createDemo(services, ports, config) : null;
  worker = startWork(dueWork(services, ports), log);
  const server = await openDoors(services, config, isDevelopment);
  closeOnSignal(server, worker, database, services);
  return await describeStart(config, database.description, demo);
}

async function openDoors(services: Services, config: Config, isDevelopment: boolean): Promise<Server> {
  const dashboard = next({ dev: isDevelopment, hostname: config.host, port: config.port });
  await dashboard.prepare();
  const toDashboard = dashboard.getRequestHandler();
  const api = createApi({ ...services, audit: createAuditWriter(services.pool) });
  // Next relies on the global Request and Response as they are.
  const toApi = getRequestListener(api.fetch, { overrideGlobalObjects: false });
  const toHealth = getRequestListener(createHealth(services).fetch, { overrideGlobalObjects: false });
  const isBehindProxy = config.appUrl.startsWith("https://");
  const server = createServer((request, response) => {
    const { remoteAddress } = request.socket;
    request.headers[CLIENT_ADDRESS_HEADER] = clientAddress(
      remoteAddress,
      request.headers["x-forwarded-for"],
      isBehindProxy,
    );
    void route(request, response, { toApi, toHealth, toDashboard });
  });
  // A client that sends nothing, or slowly, does not keep a socket for ever.
  server.headersTimeout = 15_000;
  server.requestTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  return server;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

function route(
  request: IncomingMessage,
  response: ServerResponse,
  doors: { toApi: Handler; toHealth: Handler; toDashboard: Handler },
): unknown {
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
  if (path === API_BASE_PATH || path.startsWith(`${API_BASE_PATH}/`)) return doors.toApi(request, response);
  if (HEALTH_PATHS.includes(path)) return doors.toHealth(request, response);
  return doors.toDashboard(request, response);
}

/** First no new requests and no new work, then what is under way, the database last. */
function closeOnSignal(server: Server, worker: WorkRunner, database: Database, services: Services): void {
  let isClosing = false;
  const close = async (signal: string) => {
    if (isClosing) return;
    isClosing = true;
    services.log.info({ signal }, "stopping");
    const drained = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
    await Promise.all([drained, worker.stop()]);
    clearTimeout(deadline);
    await database.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void close(signal));
}

function deriveSecret(secret: string, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)).toString("base64url");
}
