import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { isHost } from "@/lib/api/launcher/refuse-host";
import { beforeHead } from "@/lib/platform/before-head";
import { drainRequest } from "@/lib/platform/drain-request";

/** Next refuses a longer one as well. */
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
  /** Secret of this installation. */
  mark: string;
}

/** An answer in place of a page. */
export interface PageRefusal {
  status: number;
  text: string;
  headers: Record<string, string>;
}

const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];
const ROUTER_STATE = "next-router-state-tree";
const ACTION = "next-action";
const FORWARDED = "x-action-forwarded";
/** Marks an action call that came in: Next copies its headers when it forwards one to itself. */
const SEEN = "x-sluice-seen";
/** Next's ids of server actions: a byte for the arguments, and a hash. */
const ACTION_ID = /^[0-9a-f]{42}$/;

/**
 * Headers that Next sends between its own parts, or trusts from a proxy that this product does not have: from outside
 * they would trigger prerendering, fetch other addresses, or replace the host.
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
 * Whether Next sent this request to itself, to carry out an action elsewhere or to fetch the page that an action
 * redirects to: it belongs to a request that is being handled. To be asked before `settlePageRequest`, which marks all
 * calls of actions.
 */
export function isSentByNext({ headers }: Pick<IncomingMessage, "headers">, mark: string): boolean {
  return headers[SEEN] === mark;
}

/**
 * Makes a request one that Next can answer, or answers it here: Next treats most malformed requests as its own
 * errors, answers 500 and fills the log.
 * @param request its headers are changed
 */
export function settlePageRequest(
  request: IncomingMessage,
  { appUrl, hasAction, mark }: PageSettings,
): PageRefusal | null {
  const { headers, method = "GET" } = request;
  for (const name of NOT_FROM_OUTSIDE) delete headers[name];
  headers["x-forwarded-proto"] = new URL(appUrl).protocol.slice(0, -1);
  // Next has no OPTIONS for files. CORS preflights get nothing: no script of another site may call here.
  if (method === "OPTIONS") return refuse(204, "", { Allow: METHODS.join(", ") });
  if (!METHODS.includes(method)) return refuse(405, "Method Not Allowed", { Allow: METHODS.join(", ") });
  if (!isAddress(request.url ?? "")) return refuse(400, "Bad Request");
  if (!isHost(headers.host ?? "")) return refuse(400, "Bad Request");
  const state = headers[ROUTER_STATE];
  // Without it Next sends the whole page, which is right for a client that has none of it.
  if (state !== undefined && !isRouterState(state)) delete headers[ROUTER_STATE];
  return method === "POST" ? settleAction(request, { appUrl, hasAction, mark }) : null;
}

/** A path of this server; absolute addresses and `*` are for proxies. */
function isAddress(target: string): boolean {
  // PostgreSQL rejects any statement whose text contains NUL.
  if (!target.startsWith("/") || target.includes("%00")) return false;
  try {
    decodeURIComponent(target.split("?", 1)[0] ?? "");
    return URL.canParse(target, "http://localhost");
  } catch {
    return false;
  }
}

/** Forms and server actions come only from our own pages, and only for actions that exist. */
function settleAction(
  { headers }: IncomingMessage,
  { appUrl, hasAction, mark }: PageSettings,
): PageRefusal | null {
  // A form on a page with a secret address sends no origin, because that page hides its address. The browser then
  // states
  // the site in a header that no page can set.
  const isOwnForm = headers.origin === "null" && headers["sec-fetch-site"] === "same-origin";
  if (isOwnForm) headers.origin = new URL(appUrl).origin;
  const { origin } = headers;
  const id = headers[ACTION];
  if (origin !== undefined) {
    const own = new URL(appUrl);
    // Next compares the hosts. Behind a proxy that rewrites the host, the public address counts.
    if (origin === own.origin) headers.host = own.host;
    else if (!isAtHost(origin, headers.host, own.protocol)) {
      return refuse(403, "Send this from its own page.");
    }
  }
  if (id === undefined) return null;
  if (typeof id === "string" && ACTION_ID.test(id) && hasAction(id)) {
    // Next forwards an action that this page lacks to a page that has it, by a request to itself; a rewritten page
    // may lack
    // it too. Without a limit it would call itself until no socket is left.
    if (headers[SEEN] === mark) headers[FORWARDED] = "1";
    headers[SEEN] = mark;
    return null;
  }
  // Tells the browser's scripts that they belong to another build.
  return refuse(404, "Server action not found.", { "X-Nextjs-Action-Not-Found": "1" });
}

/**
 * The scheme counts as well: anyone who controls a network can serve a page at `http` under our name. The scheme of the
 * public address is compared, as no header of the request proves another.
 */
function isAtHost(origin: string, host: string | undefined, protocol: string): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host && from.protocol === protocol;
}

function refuse(status: number, text: string, headers: Record<string, string> = {}): PageRefusal {
  return { status, text, headers };
}

type RouterState = [unknown, Record<string, RouterState>, ...unknown[]];

/** Whether a browser's router can have sent this header, which describes the parts of a page it already has. */
function isRouterState(header: string | string[]): boolean {
  if (typeof header !== "string" || header.length > MAXIMUM_LENGTH) return false;
  try {
    return routerStateSchema.safeParse(JSON.parse(decodeURIComponent(header))).success;
  } catch {
    // Not URL-encoded, not JSON, or nested too deep.
    return false;
  }
}

/**
 * Closes the connection of a request that was answered before its body was read, once the client has sent it. Next
 * reads on only as far as its buffer, and a following request on that connection would never be answered. Closing at
 * once would lose the answer.
 */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  const { "transfer-encoding": encoding, "content-length": length = "0" } = request.headers;
  if (encoding === undefined && Number(length) === 0) return;
  beforeHead(response, (status) => {
    if (!request.complete && !response.headersSent) response.setHeader("Connection", "close");
    return status;
  });
  const end = response.end.bind(response);
  response.end = (...rest: never[]) => {
    if (request.complete || request.destroyed) return end(...rest);
    // The reader has answered, and would otherwise hold back the rest of the body.
    request.unpipe().removeAllListeners("data").removeAllListeners("readable");
    drainRequest(request).then(
      () => end(...rest),
      (error: Error) => response.destroy(error),
    );
    return response;
  };
}
