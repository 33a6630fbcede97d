import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { STATIC_FILES_PATH } from "@/lib/api/launcher/static-files";
import { type TransportName, transportOf } from "@/lib/api/launcher/transports";
import { OAUTH_PATHS } from "@/lib/api/oauth/settings";
import type { Log } from "@/lib/platform/log";
import { keepFacts, newFacts, type RequestFacts } from "@/lib/platform/observe/request-facts";
import type { Span, Tracing } from "@/lib/platform/observe/tracing";

/**
 * The route when no pattern matched. Never the address itself: it may hold a secret, and there is no bound on their
 * number.
 */
const NO_ROUTE = "(none)";

/** A completed request. */
export interface EndedRequest {
  transport: TransportName;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  /** False when the client disconnected, or was cut off, before it had the whole answer. */
  isAnswered: boolean;
  /** The client disconnected mid-body; the outcome is not a server error. */
  isBrokenOff: boolean;
  facts: RequestFacts;
}

interface RequestObserver {
  log: Log;
  /** Unset: no spans are exported. */
  tracing: Tracing | undefined;
  pageRoute: PageRoute | undefined;
  /** For the metrics. */
  ended: (request: EndedRequest) => void;
}

/**
 * The status that proxies use for a client that left before the response began. The status set by then never reached
 * anyone: Next writes 500 there for a body that it could not read, which would look like an outage.
 */
const CLIENT_LEFT = 499;

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Reports every completed request to the log, the metrics and a span. Uses the route pattern, not the address, which
 * may hold the secret of an invitation or a password reset.
 * @param handle answers it; the transport fills in `facts`
 */
export function observeRequest(
  observer: RequestObserver,
  request: IncomingMessage,
  response: ServerResponse,
  handle: (transport: TransportName, facts: RequestFacts) => unknown,
): void {
  const transport = transportOf(request.url);
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
  const facts = newFacts();
  keepFacts(request, facts);
  // Caches would keep the id of one request with the file.
  if (!path.startsWith(STATIC_FILES_PATH)) response.setHeader("X-Request-Id", facts.requestId);
  const method = METHODS.includes(request.method ?? "") ? String(request.method) : "OTHER";
  const startedAt = performance.now();
  const span = beginSpan(observer.tracing, request, method, transport);
  response.once("close", () => {
    const ended = {
      transport,
      method,
      route: facts.route ?? routeOf(transport, path, observer.pageRoute),
      status: response.headersSent ? response.statusCode : CLIENT_LEFT,
      durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
      isAnswered: response.writableFinished,
      isBrokenOff: !request.complete && request.errored !== null,
      facts,
    };
    logRequest(observer.log, ended);
    observer.ended(ended);
    if (span) endSpan(span, ended);
  });
  if (span && observer.tracing) observer.tracing.within(span, () => handle(transport, facts));
  else handle(transport, facts);
}

function isProbe(transport: TransportName): boolean {
  return transport === "health" || transport === "metrics";
}

/** Probes come every few seconds and a page has dozens of files: logged only when they fail. */
function isQuiet({ transport, route }: EndedRequest): boolean {
  return isProbe(transport) || route.startsWith(STATIC_FILES_PATH);
}

function logRequest(log: Log, ended: EndedRequest): void {
  const { facts, isAnswered, isBrokenOff, ...line } = ended;
  const reported = {
    ...line,
    ...facts,
    ...(!isAnswered && { isAnswered }),
    ...(isBrokenOff && { isBrokenOff }),
  };
  if (ended.status >= 500 && !isBrokenOff) log.error(reported, "request failed");
  else if (isQuiet(ended)) log.debug(reported, "request");
  else log.info(reported, "request");
}

function beginSpan(
  tracing: Tracing | undefined,
  request: IncomingMessage,
  method: string,
  transport: TransportName,
): Span | undefined {
  // Probes are not traced.
  if (isProbe(transport)) return undefined;
  const { traceparent } = request.headers;
  return tracing?.begin(`${method} ${transport}`, {
    kind: "SERVER",
    traceparent: typeof traceparent === "string" ? traceparent : undefined,
  });
}

function endSpan(span: Span, { transport, method, route, status, isBrokenOff, facts }: EndedRequest): void {
  span.rename(`${method} ${route}`);
  span.set({
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
    "sluice.transport": transport,
    "sluice.request_id": facts.requestId,
    ...(facts.operation && { "sluice.operation": facts.operation }),
    ...(facts.organizationId && { "sluice.organization_id": facts.organizationId }),
    ...(facts.actor && { "sluice.actor_kind": facts.actor.kind, "sluice.actor_id": facts.actor.id }),
  });
  if (status >= 500 && !isBrokenOff) span.fail();
  span.end();
}

/**
 * The route pattern of a request whose transport set none.
 * @param pageRoute unset in development, where pages are compiled on request
 */
export function routeOf(transport: TransportName, path: string, pageRoute: PageRoute | undefined): string {
  switch (transport) {
    case "web":
      return pageRouteOf(path, pageRoute);
    case "oauth":
      return oauthRouteOf(path);
    case "health":
    case "metrics":
      return path;
    case "sandbox":
      return "/sandbox/receivers/:token";
    default:
      return NO_ROUTE;
  }
}

function pageRouteOf(path: string, pageRoute: PageRoute | undefined): string {
  if (path.startsWith(STATIC_FILES_PATH)) return `${STATIC_FILES_PATH}:file`;
  return pageRoute?.(path) ?? NO_ROUTE;
}

function oauthRouteOf(path: string): string {
  if (Object.values(OAUTH_PATHS).some((known) => known === path)) return path;
  if (path.startsWith(`${OAUTH_PATHS.authorize}/`)) return `${OAUTH_PATHS.authorize}/:uid`;
  return path.startsWith("/.well-known/") ? "/.well-known/:document" : NO_ROUTE;
}

const routeSchema = z.object({ page: z.string(), regex: z.string() });
const manifestSchema = z.object({
  staticRoutes: z.array(routeSchema),
  dynamicRoutes: z.array(routeSchema),
});

/** The pattern of a page's address, e.g. `/invitations/[token]`; null when there is no such page. */
export type PageRoute = (path: string) => string | null;

/**
 * Reads the pages from Next's build.
 * @param file `routes-manifest.json` of the build
 */
export async function readPageRoutes(file: string): Promise<PageRoute> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(file, "utf8")));
  const routes = [...manifest.staticRoutes, ...manifest.dynamicRoutes].map(({ page, regex }) => ({
    page,
    pattern: new RegExp(regex),
  }));
  return (path) => routes.find(({ pattern }) => pattern.test(path))?.page ?? null;
}
