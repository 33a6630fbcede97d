import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { isHost } from "@/lib/api/launcher/refuse-host";
import { drainRequest } from "@/lib/platform/drain-request";

/** Next refuses a longer one, too. */
const MAXIMUM_LENGTH = 40_000;

const segmentSchema = z.union([
  z.string(),
  z.tuple([z.string(), z.string(), z.string().max(10), z.array(z.string()).nullable()]),
]);

const routerStateSchema: z.ZodType<RouterState> = z.lazy(() =>
  z
    .tuple([segmentSchema, z.record(z.string(), routerStateSchema)])
    .rest(z.union([z.tuple([z.string(), z.string()]), z.string(), z.number(), z.null()])),
);

interface PageSettings {
  /** Public address without a trailing slash. */
  appUrl: string;
  /** Whether the build has a server action of this id. */
  hasAction: (id: string) => boolean;
  /** Of this installation, which nobody outside knows. */
  mark: string;
}

/** What is answered instead of a page. */
export interface PageRefusal {
  status: number;
  text: string;
  headers: Record<string, string>;
}

const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];
const ROUTER_STATE = "next-router-state-tree";
const ACTION = "next-action";
const FORWARDED = "x-action-forwarded";
/** On every call of an action that came in: Next sends what it got along when it forwards one to itself. */
const SEEN = "x-sluice-seen";
/** As Next names server actions: a byte of what it takes, and a hash. */
const ACTION_ID = /^[0-9a-f]{42}$/;

/**
 * What Next says to itself between its own parts, or believes of a proxy that this product does not have: from outside
 * they have it prerender for nobody, fetch other addresses, or take another host for its own.
 */
const NOT_FROM_OUTSIDE = [
  "upgrade",
  "next-resume",
  FORWARDED,
  "x-forwarded-host",
  "x-forwarded-port",
  "x-invoke-error",
  "x-invoke-output",
  "x-invoke-path",
  "x-invoke-query",
  "x-invoke-status",
  "x-matched-path",
  "x-middleware-invoke",
  "x-middleware-prefetch",
  "x-middleware-subrequest",
  "x-nextjs-data",
  "x-now-route-matches",
  "x-prerender-revalidate",
];

/**
 * Makes a request one that Next can answer, or says what to answer in its place: Next takes most of what is no request
 * of a browser for a fault of its own, answers 500 and fills the log.
 * @param request its headers are changed
 */
export function settlePageRequest(
  request: IncomingMessage,
  { appUrl, hasAction, mark }: PageSettings,
): PageRefusal | null {
  const { headers, method = "GET" } = request;
  for (const name of NOT_FROM_OUTSIDE) delete headers[name];
  headers["x-forwarded-proto"] = new URL(appUrl).protocol.slice(0, -1);
  // Next knows no OPTIONS of a file. No other site is told more: nothing here is for its scripts.
  if (method === "OPTIONS") return refuse(204, "", { Allow: METHODS.join(", ") });
  if (!METHODS.includes(method)) return refuse(405, "Method Not Allowed", { Allow: METHODS.join(", ") });
  if (!isAddress(request.url ?? "")) return refuse(400, "Bad Request");
  if (!isHost(headers.host ?? "")) return refuse(400, "Bad Request");
  const state = headers[ROUTER_STATE];
  // Without it Next sends the whole page, which is right for whoever has nothing of it.
  if (state !== undefined && !isRouterState(state)) delete headers[ROUTER_STATE];
  return method === "POST" ? settleAction(request, { appUrl, hasAction, mark }) : null;
}

/** A path of this server: others, and `*`, are what a proxy is asked for. */
function isAddress(target: string): boolean {
  // No text holds a NUL: PostgreSQL refuses the whole statement that looks for one.
  if (!target.startsWith("/") || target.includes("%00")) return false;
  try {
    decodeURIComponent(target.split("?", 1)[0] ?? "");
    return URL.canParse(target, "http://localhost");
  } catch {
    return false;
  }
}

/** Forms and server actions are sent from our own pages, and only those actions that there are. */
function settleAction(
  { headers }: IncomingMessage,
  { appUrl, hasAction, mark }: PageSettings,
): PageRefusal | null {
  // A form of a page whose address holds a secret names no origin, as that page tells its address to nobody. Of whom it is
  // then says the browser, in a header that no page can write.
  const isOwnForm = headers.origin === "null" && headers["sec-fetch-site"] === "same-origin";
  if (isOwnForm) headers.origin = new URL(appUrl).origin;
  const { origin } = headers;
  const id = headers[ACTION];
  if (origin !== undefined) {
    // Next compares the two. Behind a proxy that puts its own host in, the public address counts.
    if (origin === new URL(appUrl).origin) headers.host = new URL(appUrl).host;
    else if (!URL.canParse(origin) || new URL(origin).host !== headers.host) {
      return refuse(403, "Send it from this page.");
    }
  }
  if (id === undefined) return null;
  if (typeof id === "string" && ACTION_ID.test(id) && hasAction(id)) {
    // Next sends an action that this page does not have on to one that has it, by a request to itself, and a page that
    // is rewritten may not have it either: without an end it would ask itself until no socket is left.
    if (headers[SEEN] === mark) headers[FORWARDED] = "1";
    headers[SEEN] = mark;
    return null;
  }
  // By this header the browser's own scripts know that they are of another build.
  return refuse(404, "Server action not found.", { "X-Nextjs-Action-Not-Found": "1" });
}

function refuse(status: number, text: string, headers: Record<string, string> = {}): PageRefusal {
  return { status, text, headers };
}

type RouterState = [unknown, Record<string, RouterState>, ...unknown[]];

/** Whether a browser's router can have sent this header, which says what of a page it has. */
function isRouterState(header: string | string[]): boolean {
  if (typeof header !== "string" || header.length > MAXIMUM_LENGTH) return false;
  try {
    return routerStateSchema.safeParse(JSON.parse(decodeURIComponent(header))).success;
  } catch {
    // No escape, no JSON, or nested deeper than anybody can read.
    return false;
  }
}

/**
 * Ends the connection of a request that is answered before its body was read, once its sender has come to an end. What is
 * left of it stands in the way: Next reads on only as far as its buffer, and the next request on that connection would
 * never be answered. Closed at once, it would take the answer with it.
 */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  const { "transfer-encoding": encoding, "content-length": length = "0" } = request.headers;
  if (encoding === undefined && Number(length) === 0) return;
  // Node writes every head through it, whoever began to.
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: never[]) => {
    if (!request.complete && !response.headersSent) response.setHeader("Connection", "close");
    return writeHead(status, ...rest);
  };
  const end = response.end.bind(response);
  response.end = (...rest: never[]) => {
    if (request.complete || request.destroyed) return end(...rest);
    // Whoever was to read it has answered, and would hold back what is still to come.
    request.unpipe().removeAllListeners("data").removeAllListeners("readable");
    drainRequest(request).then(
      () => end(...rest),
      (error: Error) => response.destroy(error),
    );
    return response;
  };
}
