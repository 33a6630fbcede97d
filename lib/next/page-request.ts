import { AsyncLocalStorage } from "node:async_hooks";
import nodeConsole from "node:console";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@/lib/contract/error";
import { processValues } from "@/lib/contract/process-values";
import {
  dateFormOf,
  firstLanguage,
  moneyFormatOf,
  PLAIN_DATES,
  PLAIN_MONEY,
  parseZone,
  type Reader,
  ZONE_COOKIE,
} from "@/lib/contract/reader";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { beforeHead } from "@/lib/platform/before-head";
import { newRequestId } from "@/lib/platform/ids";
import { noteCaller, type RequestFacts } from "@/lib/platform/observe/request-facts";

/** Facts about the dashboard request in progress. */
interface PageRequest {
  facts: RequestFacts;
  reader: Reader;
  /** The server action has parsed its arguments and started: later errors are server errors. */
  hasBegun: boolean;
  /** Next or the action could not parse the arguments of a server action. */
  isUnreadable: boolean;
  /** What Next printed since the request began; null: nothing waits. */
  held: { parts: unknown[]; print: () => void }[] | null;
  /** Errors that the log has. */
  logged: Set<unknown>;
}

declare global {
  interface ProcessValues {
    currentRequest: () => PageRequest | undefined;
  }
}

/** Cached locales. Bounded: a hostile client could send a new language with each request. */
const MAXIMUM_REMEMBERED = 200;
/** Of one request; more is printed at once. */
const MAXIMUM_HELD = 50;
const remembered = new Map<string, Forms>();
type Forms = Pick<Reader, "money" | "dates">;

/**
 * Gives pages and actions the request they answer: its log facts, its reader's language and time zone, and whether its
 * server action could be parsed. The launcher calls this once.
 */
export function openPageRequests(): (
  request: Pick<IncomingMessage, "headers" | "method">,
  response: ServerResponse,
  facts: RequestFacts,
  handle: () => unknown,
) => Promise<unknown> {
  const storage = new AsyncLocalStorage<PageRequest>();
  const values = processValues();
  values.currentRequest = () => storage.getStore();
  values.currentReader = () => storage.getStore()?.reader;
  holdPrinted(values.currentRequest);
  return async ({ headers, method }, response, facts, handle) => {
    const request: PageRequest = {
      facts,
      reader: readReader(headers),
      hasBegun: false,
      isUnreadable: false,
      held: [],
      logged: new Set(),
    };
    if (method === "POST") answerUnreadableWith400(response, request);
    try {
      return await storage.run(request, handle);
    } finally {
      printHeld(request);
    }
  };
}

/**
 * Next prints errors beside the log: those of arguments that it cannot read, so that a stranger could fill the error log, and
 * those of the database whole, with the values that PostgreSQL quotes. What a request prints waits for its end, and is left
 * out if the log has the error itself or a warning in its place (instrumentation.ts).
 */
function holdPrinted(current: () => PageRequest | undefined): void {
  const print = nodeConsole.error;
  nodeConsole.error = (...parts: unknown[]) => {
    const held = current()?.held;
    if (held && held.length < MAXIMUM_HELD) held.push({ parts, print: () => print(...parts) });
    else print(...parts);
  };
}

function printHeld(request: PageRequest): void {
  const { held, isUnreadable, logged } = request;
  request.held = null;
  if (isUnreadable) return;
  for (const { parts, print } of held ?? []) if (!parts.some((part) => logged.has(part))) print();
}

/** From here on, what Next prints of this error in its request is left out. */
export function noteLogged(error: unknown): void {
  const logged = processValues().currentRequest?.()?.logged;
  if (logged && logged.size < MAXIMUM_HELD) logged.add(error);
}

/** The log facts of the current request; undefined outside a request. */
export function currentPageRequest(): RequestFacts | undefined {
  return processValues().currentRequest?.()?.facts;
}

/** The request ID in the log, for a member to quote to support. */
export function requestIdToQuote(): string {
  return currentPageRequest()?.requestId ?? newRequestId();
}

/** Adds the requesting member to the log facts. */
export function notePageMember({ organization, actor }: CurrentSession): void {
  const facts = currentPageRequest();
  if (facts) noteCaller(facts, { organizationId: organization.id, actor });
}

/** From here on, an error in this server action is a server error. */
export function beginAction(): void {
  const request = processValues().currentRequest?.();
  if (request) request.hasBegun = true;
}

/**
 * @param routeType Next's name for what failed: `action`, or the page whose form called an action before its scripts
 *   ran
 * @returns whether the caller caused the error by calling a server action with unreadable arguments
 */
export function isUnreadableAction(error: unknown, routeType: string): boolean {
  const request = processValues().currentRequest?.();
  if (!request) return false;
  const isRefused = error instanceof AppError && error.code === "INVALID_PARAMETERS";
  const isUndecoded = !request.hasBegun && (routeType === "action" || isNoForm(error));
  if (!isRefused && !isUndecoded) return false;
  request.isUnreadable = true;
  return true;
}

/** Reads language and time zone from the request headers. */
export function readReader(headers: Pick<IncomingHttpHeaders, "cookie" | "accept-language">): Reader {
  const language = firstLanguage(headers["accept-language"]);
  return {
    ...(language === null ? { money: PLAIN_MONEY, dates: PLAIN_DATES } : formsOf(language)),
    timeZone: parseZone(readCookie(headers.cookie, ZONE_COOKIE)),
  };
}

/**
 * Next answers 500 to every error of React's decoder. Unreadable arguments are a client error, and a hostile client
 * must not trigger the server-error alarm.
 */
function answerUnreadableWith400(response: ServerResponse, request: PageRequest): void {
  beforeHead(response, (status) => {
    if (status !== 500 || !request.isUnreadable) return status;
    // Next sets statusCode again after the response is sent; the log must show the status that was sent.
    Object.defineProperty(response, "statusCode", { get: () => 400, set: () => undefined });
    return 400;
  });
}

/** Node's body parser has no error code for this case, only the message. */
function isNoForm(error: unknown): boolean {
  return error instanceof TypeError && error.message.startsWith("Failed to parse body as FormData");
}

function formsOf(language: string): Forms {
  const known = remembered.get(language);
  if (known) return known;
  const forms = { money: moneyFormatOf(language), dates: dateFormOf(language) };
  if (remembered.size < MAXIMUM_REMEMBERED) remembered.set(language, forms);
  return forms;
}

/** The value of a cookie, from the `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(";", 100).find((each) => each.trim().startsWith(`${name}=`));
  if (!pair) return undefined;
  try {
    return decodeURIComponent(pair.slice(pair.indexOf("=") + 1).trim());
  } catch {
    return undefined;
  }
}
