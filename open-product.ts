import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { ConnectionDesk } from "@/lib/core/assistants/connection-desk";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { createDemo } from "@/lib/core/demo/create-demo";
import { readDemoFile } from "@/lib/core/demo/read-demo-file";
import { dueWork, type Ports } from "@/lib/core/due-work";
import { CLIENT_ADDRESS_HEADER, clientAddress } from "@/lib/core/members/client-address";
import { hasOrganization } from "@/lib/core/members/has-organization";
import { createSandboxWorld } from "@/lib/core/sandbox/create-sandbox-world";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import { moveReceivers } from "@/lib/core/sandbox/move-receivers";
import { RECEIVERS_PATH } from "@/lib/core/sandbox/receiver-address";
import type { StartFacts } from "@/lib/doors/describe-start";
import { createHooks, HOOKS_BASE_PATH } from "@/lib/doors/hooks/app";
import { API_BASE_PATH, createApi } from "@/lib/doors/http/app";
import { createHealth, HEALTH_PATHS } from "@/lib/doors/http/health";
import { createMcp } from "@/lib/doors/mcp/app";
import { MCP_PATH } from "@/lib/doors/mcp/mcp-call";
import { createOAuthDoor, isOAuthPath, type OAuthDoor } from "@/lib/doors/oauth/app";
import { createFetchDocument } from "@/lib/doors/oauth/fetch-document";
import { createSandboxDoor, type SandboxDoor } from "@/lib/doors/sandbox/app";
import { systemClock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { type Database, openDatabase } from "@/lib/platform/db/database";
import { loadSecret } from "@/lib/platform/db/secret";
import { createLog } from "@/lib/platform/log";
import { createSealer } from "@/lib/platform/seal";
import type { Services } from "@/lib/platform/services";
import { startWork, type WorkRunner } from "@/lib/platform/work";
import { createAggregator } from "@/lib/ports/aggregator/create-aggregator";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";
import { createSandboxIdentity } from "@/lib/ports/identity/sandbox/create-sandbox-identity";
import { createMail } from "@/lib/ports/mail/create-mail";
import { createSms } from "@/lib/ports/sms/create-sms";
import { createWebhookSender } from "@/lib/ports/webhooks/create-webhook-sender";

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Sluice without its dashboard: the database, the due work and the API. */
export interface Product {
  services: Services;
  ports: Ports;
  sandbox: SandboxWorld | null;
  secret: string;
  /** What the consent page needs of the authorization server. */
  connections: ConnectionDesk;
  start: StartFacts;
  /**
   * Answers requests from now on, and closes in order on SIGINT and SIGTERM.
   * @param elsewhere gets what is neither the API's nor for load balancers
   */
  listen(elsewhere: Handler): Promise<void>;
}

/** Longer than any request may take; what is still open then is cut off. */
const DRAIN_TIMEOUT_MS = 15_000;

/**
 * Opens everything but the dashboard. A function of its own so that the proofs and the benchmark run what the
 * launcher runs, and neither a copy of it nor a dashboard that they do not look at.
 * @param say progress, for whoever waits at the terminal
 */
export async function openProduct(config: Config, say: (line: string) => void): Promise<Product> {
  const log = createLog(config.logLevel);
  await mkdir(config.dataDirectory, { recursive: true });
  const secret = await loadSecret(config);
  say("Opening the database.");
  const database = await openDatabase({ config: { ...config, secret }, log });
  let worker: WorkRunner | null = null;
  const services: Services = {
    pool: database.pool,
    clock: systemClock,
    log,
    appUrl: config.appUrl,
    authenticatorSecrets: createSealer(secret, "authenticator secrets"),
    wake: (name) => worker?.wake(name),
  };
  const ports: Ports = {
    bank: createSandboxBank(database.pool),
    aggregator: await createAggregator(config, secret, database.pool),
    cards: createSandboxCardNetwork(database.pool),
    identity: createSandboxIdentity(database.pool),
    mail: createMail(config, database.pool, systemClock),
    sms: createSms(config, database.pool, systemClock),
    webhooks: {
      sender: createWebhookSender({ allowsPrivate: config.allowsPrivateWebhooks }),
      secrets: createSealer(secret, "webhook signing secrets"),
      allowsPrivate: config.allowsPrivateWebhooks,
    },
  };
  const newDemo = config.demo ? await createDemo(services, ports, config) : null;
  if (newDemo) say("Made the demo organization, Northwind Studio.");
  // Where one thing is real, time must be, and nothing is played beside it.
  const sandbox = ports.aggregator.isSandbox
    ? createSandboxWorld(database.pool, config.allowsPrivateWebhooks)
    : null;
  // Before the first delivery leaves.
  if (sandbox?.hasReceiver) await moveReceivers(services);
  const oauth = createOAuthDoor(services, {
    productSecret: secret,
    fetchDocument: createFetchDocument({ allowsPrivate: config.allowsPrivateWebhooks }),
  });
  const runner = startWork(dueWork(services, ports), log);
  worker = runner;
  return {
    services,
    ports,
    sandbox,
    secret,
    connections: oauth.desk,
    start: {
      databaseDescription: database.description,
      demo: newDemo ?? (await readDemoFile(config)),
      isDemoNew: newDemo !== null,
      hasOrganization: await hasOrganization(services),
    },
    listen: async (elsewhere) => {
      const played = createSandboxDoor(services, sandbox?.hasReceiver ?? false);
      const server = await openDoors(services, config, { played, oauth }, elsewhere);
      closeOnSignal(server, played, runner, database, services);
    },
  };
}

async function openDoors(
  services: Services,
  config: Config,
  { played, oauth }: { played: SandboxDoor; oauth: OAuthDoor },
  elsewhere: Handler,
): Promise<Server> {
  const audited = { ...services, audit: createAuditWriter(services.pool) };
  const api = createApi(audited);
  // Next relies on the global Request and Response as they are.
  const toApi = getRequestListener(api.fetch, { overrideGlobalObjects: false });
  const toHooks = getRequestListener(createHooks(audited).fetch, { overrideGlobalObjects: false });
  const toMcp = getRequestListener(createMcp(audited).fetch, { overrideGlobalObjects: false });
  const toSandbox = getRequestListener(played.fetch, { overrideGlobalObjects: false });
  const toHealth = getRequestListener(createHealth(services).fetch, { overrideGlobalObjects: false });
  const isBehindProxy = config.appUrl.startsWith("https://");
  const server = createServer((request, response) => {
    const { remoteAddress } = request.socket;
    const forwardedFor = request.headers["x-forwarded-for"];
    request.headers[CLIENT_ADDRESS_HEADER] = clientAddress(remoteAddress, forwardedFor, isBehindProxy);
    const toOAuth = oauth.handle;
    void route(request, response, { toApi, toHooks, toMcp, toOAuth, toSandbox, toHealth, elsewhere });
  });
  // Longer than proxies and clients keep an idle connection: one that this end closes just as a request comes answers
  // nothing, and a proxy says 502.
  server.keepAliveTimeout = 75_000;
  // A client that sends nothing, or slowly, does not keep a socket for ever.
  server.headersTimeout = 15_000;
  server.requestTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  return server;
}

function route(
  request: IncomingMessage,
  response: ServerResponse,
  doors: {
    toApi: Handler;
    toHooks: Handler;
    toMcp: Handler;
    toOAuth: Handler;
    toSandbox: Handler;
    toHealth: Handler;
    elsewhere: Handler;
  },
): unknown {
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
  if (path === API_BASE_PATH || path.startsWith(`${API_BASE_PATH}/`)) return doors.toApi(request, response);
  if (path === HOOKS_BASE_PATH || path.startsWith(`${HOOKS_BASE_PATH}/`))
    return doors.toHooks(request, response);
  if (path === MCP_PATH) return doors.toMcp(request, response);
  // The page /sandbox is the dashboard's.
  if (path.startsWith(`${RECEIVERS_PATH}/`)) return doors.toSandbox(request, response);
  if (isOAuthPath(path)) return doors.toOAuth(request, response);
  if (HEALTH_PATHS.includes(path)) return doors.toHealth(request, response);
  return doors.elsewhere(request, response);
}

/** First no new requests and no new work, then what is under way, the database last. */
function closeOnSignal(
  server: Server,
  played: SandboxDoor,
  worker: WorkRunner,
  database: Database,
  services: Services,
): void {
  let isClosing = false;
  const close = async (signal: string) => {
    if (isClosing) return;
    isClosing = true;
    services.log.info({ signal }, "stopping");
    const drained = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // The worker may be waiting for this very process.
    played.release();
    const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
    await Promise.all([drained, worker.stop()]);
    clearTimeout(deadline);
    await database.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void close(signal));
}
