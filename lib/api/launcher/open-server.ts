import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createHooks } from "@/lib/api/hooks/app";
import { openBankWebhooks } from "@/lib/api/hooks/bank-webhook";
import { createApi } from "@/lib/api/http/app";
import { createHealth } from "@/lib/api/http/health";
import { endUnreadResponse } from "@/lib/api/launcher/end-unread-response";
import {
  answerMalformedRequests,
  refuseWithoutHost,
  toOriginForm,
} from "@/lib/api/launcher/malformed-request";
import { isAtThisMachine, mayReadMetrics } from "@/lib/api/launcher/may-read-metrics";
import { createMetrics, type Metrics } from "@/lib/api/launcher/metrics";
import { observeRequest, type PageRoute } from "@/lib/api/launcher/observe-requests";
import { isHost, refuseHost } from "@/lib/api/launcher/refuse-host";
import { countRequestsInFlight } from "@/lib/api/launcher/requests-in-flight";
import { setAnswerHeaders } from "@/lib/api/launcher/response-headers";
import {
  answerElsewhere,
  type Handler,
  type TransportName,
  transportOf,
} from "@/lib/api/launcher/transports";
import { createMcp } from "@/lib/api/mcp/app";
import type { OAuthApi } from "@/lib/api/oauth/app";
import type { SandboxReceivers } from "@/lib/api/sandbox/app";
import { type AuditWriter, createAuditWriter } from "@/lib/core/audit/audit-writer";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import { AT_THIS_MACHINE_HEADER, CLIENT_ADDRESS_HEADER, clientAddress } from "@/lib/core/shared/network";
import type { Config } from "@/lib/platform/config";
import { hasCode } from "@/lib/platform/error-code";
import { newRequestId } from "@/lib/platform/ids";
import { factsOf, type RequestBindings, type RequestFacts } from "@/lib/platform/observe/request-facts";
import type { Tracing } from "@/lib/platform/observe/tracing";
import { readVersion } from "@/lib/platform/project-path";
import type { Services } from "@/lib/platform/services";

/** The dashboard, in processes that serve it. */
export interface Pages {
  handle: (...request: [...Parameters<Handler>, RequestFacts]) => unknown;
  /** Unset in development. */
  route?: PageRoute;
}

/** Created elsewhere, served here. */
interface OpenedTransports {
  played: SandboxReceivers;
  oauth: OAuthApi;
  pages: Pages | undefined;
  tracing: Tracing | undefined;
  sandbox: SandboxWorld | null;
}

export interface OpenServer {
  server: Server;
  /** From now on the readiness probe fails, and every connection closes after its answer. */
  beginStopping: () => void;
  /** Once every request is answered: writes the audit entries that were only counted so far. */
  endAudit: () => Promise<void>;
}

/** Listens, and routes each request to its transport. */
export async function openServer(
  services: Services,
  config: Config,
  transports: OpenedTransports,
): Promise<OpenServer> {
  const inFlight = countRequestsInFlight();
  const metrics = createMetrics(services, config, { inFlight, version: await readVersion() });
  let isStopping = false;
  const audit = createAuditWriter(services);
  const handlers = createHandlers(services, config, transports, {
    metrics,
    audit,
    isStopping: () => isStopping,
  });
  const observer = {
    log: services.log,
    tracing: transports.tracing,
    pageRoute: transports.pages?.route,
    ended: metrics.requestEnded,
  };
  const isBehindProxy = config.appUrl.startsWith("https://");
  const underWay = new Set<ServerResponse>();
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    setAnswerHeaders(response, isBehindProxy);
    if (refuseWithoutHost(request, response, services.log)) return;
    toOriginForm(request);
    const { remoteAddress } = request.socket;
    const forwardedFor = request.headers["x-forwarded-for"];
    request.headers[CLIENT_ADDRESS_HEADER] = clientAddress(remoteAddress, forwardedFor, isBehindProxy);
    request.headers[AT_THIS_MACHINE_HEADER] = isAtThisMachine(request) ? "1" : "0";
    inFlight.began(response, transportOf(request.url));
    endUnreadResponse(response);
    underWay.add(response);
    response.once("close", () => underWay.delete(response));
    if (isStopping) response.setHeader("Connection", "close");
    observeRequest(observer, request, response, (transport, facts) => {
      if (!refuseHost(transport, request, response, config.appUrl))
        handlers[transport](request, response, facts);
    });
  });
  answerMalformedRequests(server, services.log, (response) => setAnswerHeaders(response, isBehindProxy));
  await listen(server, config);
  const beginStopping = () => {
    isStopping = true;
    for (const response of underWay) if (!response.headersSent) response.setHeader("Connection", "close");
  };
  return { server, beginStopping, endAudit: audit.close };
}

function createHandlers(
  services: Services,
  { roles, metricsToken, appUrl, databaseUrl, dataDirectory, increase, mercury }: Config,
  { played, oauth, pages, tracing, sandbox }: OpenedTransports,
  { metrics, audit, isStopping }: { metrics: Metrics; audit: AuditWriter; isStopping: () => boolean },
): Record<TransportName, Pages["handle"]> {
  const databaseFolder = databaseUrl === null ? dataDirectory : null;
  const audited = { ...services, audit, tracing, sandbox };
  const ofApi = (open: () => Handler): Handler => (roles.api ? open() : answerElsewhere);
  return {
    health: toHandler(createHealth(services, { databaseFolder, isStopping }).fetch),
    metrics: createMetricsHandler(metrics, { token: metricsToken, appUrl }),
    api: ofApi(() => toHandler(createApi(audited).fetch)),
    hooks: ofApi(() => toHandler(createHooks(audited, openBankWebhooks({ increase, mercury })).fetch)),
    mcp: ofApi(() => toHandler(createMcp(audited).fetch)),
    sandbox: ofApi(() => toHandler(played.fetch)),
    oauth: ofApi(() => oauth.handle),
    web: (roles.web && pages?.handle) || answerElsewhere,
  };
}

function toHandler(
  fetch: (request: Request, bindings: RequestBindings) => Response | Promise<Response>,
): Handler {
  const listener = getRequestListener(
    (request, { incoming, outgoing }) => fetch(request, bindingsOf(incoming, outgoing)),
    {
      // Next relies on the global Request and Response as they are.
      overrideGlobalObjects: false,
    },
  );
  return (request, response) => refuseHead(request, response) || listener(request, response);
}

function bindingsOf(incoming: object, outgoing: object): RequestBindings {
  const facts = factsOf(incoming);
  const isHttp1 = incoming instanceof IncomingMessage && outgoing instanceof ServerResponse;
  return isHttp1 ? { facts, incoming, outgoing } : { facts };
}

/** `/metrics`: for Prometheus, not for the public. */
function createMetricsHandler(metrics: Metrics, setting: { token: string | null; appUrl: string }): Handler {
  return async (request, response) => {
    if (!mayReadMetrics(request, setting)) {
      response.writeHead(setting.token === null ? 403 : 401, {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-store",
        ...(setting.token !== null && { "WWW-Authenticate": "Bearer" }),
      });
      response.end("The metrics are for the operator (docs/operating.md, «Metrics»).\n");
      return;
    }
    const text = await metrics.write();
    response.writeHead(200, { "Content-Type": metrics.contentType, "Cache-Control": "no-store" });
    response.end(text);
  };
}

/**
 * Refuses a request with an invalid `Host` or address. Transports built on web `Request` could not even construct
 * one, and would answer an empty 400.
 * @returns whether it was refused
 */
export function refuseHead(request: IncomingMessage, response: ServerResponse): boolean {
  const message = problemOf(request);
  if (message === null) return false;
  const requestId = factsOf(request)?.requestId ?? newRequestId();
  response.statusCode = 400;
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("X-Request-Id", requestId);
  // A body behind such a head cannot be trusted either.
  response.setHeader("Connection", "close");
  response.end(JSON.stringify({ error: { code: "INVALID_PARAMETERS", message } }));
  return true;
}

function problemOf({ headers, url = "" }: IncomingMessage): string | null {
  if (headers.host !== undefined && !isHost(headers.host))
    return "Host: must be the name of this server, optionally with its port.";
  // Some parsers read a backslash as a slash, others as a letter: a proxy in front would see a different address.
  const isAddress = !url.split("?", 1)[0]?.includes("\\") && URL.canParse(url, "http://localhost");
  return isAddress ? null : "Path: must be a valid URL path, with special characters escaped.";
}

type Address = Pick<Config, "host" | "port">;

/**
 * Listens where the configuration says.
 * @throws Error that names the port, or the host, and what to do
 */
async function listen(server: Server, { host, port }: Address): Promise<void> {
  // Longer than proxies and clients keep an idle connection: closing one just as a request arrives loses it, and the
  // proxy reports 502.
  server.keepAliveTimeout = 75_000;
  // A client that sends nothing, or sends slowly, must not hold a socket forever.
  server.headersTimeout = 15_000;
  server.requestTimeout = 60_000;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    throw new Error(explain(error, { host, port }), { cause: error });
  }
}

/**
 * Runs before the database is opened and the dashboard built: a busy port must not fail the start after minutes of
 * work or a migration.
 * @throws Error like `listen`
 */
export async function assertCanListen(address: Address): Promise<void> {
  const probe = createServer();
  await listen(probe, address);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

function explain(error: unknown, { host, port }: Address): string {
  if (hasCode(error, "EADDRINUSE")) {
    return (
      `Port ${port} is in use by another program or another Sluice. Stop that one, or choose another port: ` +
      `PORT=${port === 65_535 ? port - 1 : port + 1} npm start`
    );
  }
  if (hasCode(error, "EACCES")) {
    return `This user may not listen on port ${port}. Choose a port above 1023 (PORT), and let a proxy listen on ${port}.`;
  }
  if (hasCode(error, "EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN")) {
    return `HOST is ${host}, which is not an address of this machine. Remove it, or set one that is.`;
  }
  return `Sluice cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}
