import { z } from "zod";
import { ERROR_STATUS } from "@/lib/contract/error";
import { CANARY } from "@/lib/testing/api-proof/world";
import { TAG } from "@/proof/fuzz/grammar/hostile";
import { ANSWER_WITHIN_MS, type Answer, type FuzzRequest } from "@/proof/fuzz/send";

/** Internals that no response may reveal, each with its name. */
const INSIDES: readonly (readonly [string, RegExp])[] = [
  ["a stack", /^\s+at .+[(/].+:\d+:\d+\)?$/m],
  [
    "a path of the server",
    /node_modules|\/\.build\/|\/\.next\/server|file:\/\/\/(?!etc)|\/lib\/(api|core|db|platform|ports|views)\//,
  ],
  [
    "a database's words",
    /syntax error at or near|violates (check|unique|foreign|not-null)|invalid input syntax for|relation "\w+"|unsupported Unicode escape|invalid byte sequence|deadlock detected/,
  ],
  [
    "an exception's words",
    /Cannot read propert|is not a function|is not iterable|Unexpected token|Maximum call stack|ECONNREFUSED|ERR_[A-Z]+_[A-Z]+|ZodError/,
  ],
];

const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.string().refine((code) => Object.hasOwn(ERROR_STATUS, code)),
    message: z.string().min(1),
    details: z
      .array(z.strictObject({ field: z.string(), message: z.string().min(1) }))
      .min(1)
      .optional(),
  }),
});
const dataSchema = z.strictObject({ data: z.unknown(), requestId: z.string() });

/** @returns what is wrong with a response; nothing if it is in order */
export function checkAnswer(request: FuzzRequest, answer: Answer): string[] {
  if (answer.outcome === "HUNG") return [`no whole answer within ${ANSWER_WITHIN_MS} ms`];
  if (answer.outcome === "LEFT") return [];
  if (answer.outcome === "CUT") return isHttp(request) ? ["the connection ended without a whole answer"] : [];
  return [
    ...answer.statuses.filter((status) => status >= 500).map((status) => `status ${status}`),
    ...insidesIn(answer),
    ...reflections(request, answer),
    ...contractOf(request, answer),
  ];
}

/**
 * Node answers malformed or oversized HTTP with 400 or 431 and closes: if a body was still being sent, or the previous
 * response on the connection had not ended, the sender may only see the connection close. A target is a path, an
 * absolute URL, or `*` (RFC 9112, section 3.2).
 */
function isHttp({ sent }: FuzzRequest): boolean {
  return sent.kind === "RAW" || /^(?:\/|[a-z]+:\/\/|\*$)[\x21-\x7e]{0,8000}$/i.test(sent.target);
}

function insidesIn({ text, headers }: Answer): string[] {
  const type = headers["content-type"] ?? "";
  // The dashboard's own scripts name any address.
  if (/javascript|css|font|image|zip/.test(type)) return [];
  return INSIDES.filter(([, pattern]) => pattern.test(text)).map(
    ([what, pattern]) => `shows ${what}: ${pattern.exec(text)?.[0].trim().slice(0, 120)}`,
  );
}

/** Sent text must not become a tag in a page. */
function reflections({ shape }: FuzzRequest, { text, headers }: Answer): string[] {
  const found: string[] = [];
  if (isHtml(headers) && text.includes(TAG)) found.push("writes a text as a tag into a page");
  // Anyone at this machine sees every message stored on it.
  if (text.includes(CANARY) && !shape.startsWith("app/mailbox/")) found.push("shows another organization");
  if (Object.values(headers).some((value) => value.includes(TAG))) found.push("writes a text into a header");
  return found;
}

function isHtml(headers: Answer["headers"]): boolean {
  const type = headers["content-type"];
  return type === undefined || /html|svg|xml/.test(type);
}

function contractOf({ contract, sent }: FuzzRequest, answer: Answer): string[] {
  const [status = 0] = answer.statuses;
  if (sent.kind === "RAW" || sent.method === "HEAD" || status === 304 || status === 204) return [];
  switch (contract) {
    case "API":
      return isOurs(sent.target) ? apiProblems(status, answer) : [];
    case "MCP":
      return isJson(answer) || isStream(answer) || status === 202
        ? []
        : [`MCP answers ${status} in ${answer.headers["content-type"]}`];
    case "OAUTH":
    case "PAGE":
    case "NONE":
      return [];
  }
}

function isStream({ headers }: Answer): boolean {
  return headers["content-type"]?.startsWith("text/event-stream") ?? false;
}

/** A path altered in transit may lead to another transport. */
function isOurs(target: string): boolean {
  return /^\/(platform\/v1|hooks)\//.test(target);
}

/** JSON in its envelope, or the plain 404 of unlisted addresses. */
function apiProblems(status: number, answer: Answer): string[] {
  const { text, headers } = answer;
  if (status === 404 && headers["content-type"]?.startsWith("text/plain")) {
    return text === "Not Found" ? [] : ["the plain 404 says something else"];
  }
  // Node's own refusals of malformed HTTP, before any transport.
  if ([400, 408, 413, 414, 417, 431].includes(status) && text === "" && !headers["x-request-id"]) return [];
  if (!isJson(answer)) return [`status ${status} in ${headers["content-type"]}`];
  const body: unknown = JSON.parse(text);
  const isDocument = Object.hasOwn(Object(body), "openapi");
  const { success } = (status < 400 ? dataSchema : errorSchema).safeParse(body);
  const problems =
    success || isDocument ? [] : [`status ${status} outside its envelope: ${text.slice(0, 120)}`];
  if (!isDocument && !headers["x-request-id"]) problems.push("no X-Request-Id");
  if (status === 429 && !headers["retry-after"]) problems.push("429 without Retry-After");
  return problems;
}

function isJson({ headers, text }: Answer): boolean {
  if (!headers["content-type"]?.startsWith("application/json")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const WARNING = 40;
const lineSchema = z.looseObject({
  level: z.number(),
  msg: z.string().optional(),
  time: z.iso.datetime().optional(),
  requestId: z.string().optional(),
  organizationId: z.string().optional(),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).optional(),
});

interface LogFinding {
  what: string;
  /** What the request was authenticated with. */
  requestId: string | null;
  text: string;
  /** Whom the sandbox bank did not answer, and when: no problem if a silence was ordered for it. */
  unanswered: Unanswered | null;
}

export interface Unanswered {
  organizationId: string;
  at: Date;
}

/** What the log says of the sandbox bank during a simulated outage. */
const SILENCE = "The sandbox bank does not answer";

/** @returns what is wrong with a line of the product's log: every error, and anything that is not a log line */
export function checkLogLine(line: string): LogFinding | null {
  const parsed = lineSchema.safeParse(parseJson(line));
  // Next's own copy of an error that our log reports too (instrumentation.ts): only ours counts.
  if (!parsed.success && /^⨯ |is not valid JSON$|^Error: Failed to find Server Action/.test(line))
    return null;
  // It mistakes a disconnected sender's unread body for a parsed one.
  if (line.startsWith("oidc-provider WARNING: already parsed request body")) return null;
  // Continuation lines of a stack or an object.
  if (!parsed.success && /^[\s}\]]|^Read more:|^Learn more:|^To configure the body size/.test(line))
    return null;
  if (!parsed.success)
    return { what: `prints: ${line.slice(0, 200)}`, requestId: null, text: line, unanswered: null };
  const { level, msg = "", err, requestId = null, organizationId, time } = parsed.data;
  if (level <= WARNING) return null;
  // An outage that the request asked for, by its amount.
  if (err?.message && /^The sandbox bank .* \(amount ending in \.0[45]\)$/.test(err.message)) return null;
  const cause = err?.message ? `: ${err.message.slice(0, 160)}` : "";
  const isSilence = err?.message === SILENCE && organizationId !== undefined && time !== undefined;
  return {
    what: `logs an error, «${msg}»${cause}`,
    requestId,
    text: err?.stack ?? line,
    unanswered: isSilence ? { organizationId, at: new Date(time) } : null,
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
