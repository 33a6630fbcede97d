import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@/lib/contract/error";
import {
  firstLanguage,
  type MoneyFormat,
  moneyFormatOf,
  PLAIN_MONEY,
  parseZone,
  type Reader,
  ZONE_COOKIE,
} from "@/lib/contract/reader";

import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { newRequestId } from "@/lib/platform/ids";
import { noteCaller, type RequestFacts } from "@/lib/platform/observe/request-facts";

/** What is known of the request of the dashboard that is being answered. */
interface PageRequest {
  facts: RequestFacts;
  reader: Reader;
  /** A server action got arguments that it understood and has begun: what breaks from here on is our fault. */
  hasBegun: boolean;
  /** Next, or the action itself, could not read the arguments of a server action. */
  isUnreadable: boolean;
}

declare global {
  // `var` is what a declaration of a global needs. The launcher's bundle and Next's bundles hold a copy each of this
  // module; the process has one global object.
  var sluiceRequest: (() => PageRequest | undefined) | undefined;
}

/** Languages that were asked for; a hostile client cannot make it grow. */
const MAXIMUM_REMEMBERED = 200;
const remembered = new Map<string, MoneyFormat>();

/**
 * Lets pages and actions know the request that they answer: its log line, its reader's language and time zone, and
 * whether its server action could be read. Called once, by the launcher.
 */
export function openPageRequests(): (
  request: Pick<IncomingMessage, "headers" | "method">,
  response: ServerResponse,
  facts: RequestFacts,
  handle: () => unknown,
) => unknown {
  const storage = new AsyncLocalStorage<PageRequest>();
  globalThis.sluiceRequest = () => storage.getStore();
  globalThis.sluiceReader = () => storage.getStore()?.reader;
  return ({ headers, method }, response, facts, handle) => {
    const request = { facts, reader: readReader(headers), hasBegun: false, isUnreadable: false };
    if (method === "POST") answerUnreadableWith400(response, request);
    return storage.run(request, handle);
  };
}

/** The log's facts of the request that is being answered; undefined outside of one. */
export function currentPageRequest(): RequestFacts | undefined {
  return globalThis.sluiceRequest?.()?.facts;
}

/** Names the log line of this request, for a member to quote. */
export function requestIdToQuote(): string {
  return currentPageRequest()?.requestId ?? newRequestId();
}

/** Notes for the log who asks for this page. */
export function notePageMember({ organization, actor }: CurrentSession): void {
  const facts = currentPageRequest();
  if (facts) noteCaller(facts, { organizationId: organization.id, actor });
}

/** From here on, what breaks in this server action is our fault. */
export function beginAction(): void {
  const request = globalThis.sluiceRequest?.();
  if (request) request.hasBegun = true;
}

/**
 * @param routeType what Next says that broke: `action`, or the page whose form called one before its scripts ran
 * @returns whether an error is its caller's: it called a server action with arguments that cannot be read
 */
export function isUnreadableAction(error: unknown, routeType: string): boolean {
  const request = globalThis.sluiceRequest?.();
  if (!request) return false;
  const isRefused = error instanceof AppError && error.code === "INVALID_PARAMETERS";
  const isUndecoded = !request.hasBegun && (routeType === "action" || isNoForm(error));
  if (!isRefused && !isUndecoded) return false;
  request.isUnreadable = true;
  return true;
}

/** Reads language and time zone from what a browser sends with each request. */
export function readReader(headers: Pick<IncomingHttpHeaders, "cookie" | "accept-language">): Reader {
  const language = firstLanguage(headers["accept-language"]);
  return {
    money: language === null ? PLAIN_MONEY : formatOf(language),
    timeZone: parseZone(readCookie(headers.cookie, ZONE_COOKIE)),
  };
}

/**
 * Next answers 500 to whatever React's decoder throws; arguments that cannot be read are the caller's mistake, and a
 * hostile client must not raise the alarm for server errors.
 */
function answerUnreadableWith400(response: ServerResponse, request: PageRequest): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: never[]) => {
    if (status !== 500 || !request.isUnreadable) return writeHead(status, ...rest);
    const written = writeHead(400, ...rest);
    // Next sets its own once more when all is sent; the log states what was sent.
    Object.defineProperty(response, "statusCode", { get: () => 400, set: () => undefined });
    return written;
  };
}

/** Node's own reader of bodies has no code for it, only these words. */
function isNoForm(error: unknown): boolean {
  return error instanceof TypeError && error.message.startsWith("Failed to parse body as FormData");
}

function formatOf(language: string): MoneyFormat {
  const known = remembered.get(language);
  if (known) return known;
  const format = moneyFormatOf(language);
  if (remembered.size < MAXIMUM_REMEMBERED) remembered.set(language, format);
  return format;
}

function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(";", 100).find((each) => each.trim().startsWith(`${name}=`));
  if (!pair) return undefined;
  try {
    return decodeURIComponent(pair.slice(pair.indexOf("=") + 1).trim());
  } catch {
    return undefined;
  }
}
