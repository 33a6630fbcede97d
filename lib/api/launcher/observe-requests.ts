import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { STATIC_FILES_PATH } from "@/lib/api/launcher/static-files";
import { type TransportName, transportOf } from "@/lib/api/launcher/transports";
import { OAUTH_PATHS } from "@/lib/api/oauth/settings";
import type { Log } from "@/lib/platform/log";
import { keepFacts, newFacts, type RequestFacts } from "@/lib/platform/observe/request-facts";
import type { Span, Tracing } from "@/lib/platform/observe/tracing";

/** What nobody has given a pattern. An address is never its own: it may hold a secret, and there are endlessly many. */
const NO_ROUTE = "(none)";

/** A request that has ended. */
export interface EndedRequest {
  transport: TransportName;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  /** False: the client hung up, or was cut off, before it had the whole answer. */
  isAnswered: boolean;
  /** The client hung up in the middle of its body: whatever was made of the half of it is no fault of ours. */
  isBrokenOff: boolean;
  facts: RequestFacts;
}

interface RequestObserver {
  log: Log;
  /** Unset: spans are told to nobody. */
  tracing: Tracing | undefined;
  pageRoute: PageRoute | undefined;
  /** For the metrics. */
  ended: (request: EndedRequest) => void;
}

/**
 * As proxies call it that a client hung up before anything was sent. What stands in the answer by then nobody was told:
 * Next writes 500 there for what it cannot read, and the transport would seem broken.
 */
const CLIENT_LEFT = 499;

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Tells of every request when it has ended: a line of the log, the metrics, a span. The pattern of its address and never
 * the address, which may hold the secret of an invitation or of a new password.
 * @param handle answers it; `facts` gets what the transport finds out
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
  // A file that caches keep would keep the number of one request.
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

/** Load balancers ask every few seconds, and a page has dozens of files: what they ask is told of where it fails. */
function isQuiet({ transport, route }: EndedRequest): boolean {
  return isProbe(transport) || route.startsWith(STATIC_FILES_PATH);
}

function logRequest(log: Log, ended: EndedRequest): void {
  const { facts, isAnswered, isBrokenOff, ...line } = ended;
  const told = { ...line, ...facts, ...(!isAnswered && { isAnswered }), ...(isBrokenOff && { isBrokenOff }) };
  if (ended.status >= 500 && !isBrokenOff) log.error(told, "request failed");
  else if (isQuiet(ended)) log.debug(told, "request");
  else log.info(told, "request");
}

function beginSpan(
  tracing: Tracing | undefined,
  request: IncomingMessage,
  method: string,
  transport: TransportName,
): Span | undefined {
  // Nobody looks for the trace of a probe.
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
 * The pattern of an address whose transport told none.
 * @param pageRoute unset in development, where pages are made when they are asked for
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

/** Of a page's address its pattern, e.g. `/invitations/[token]`; null where there is no such page. */
export type PageRoute = (path: string) => string | null;

/**
 * Reads from Next's build which pages there are.
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
