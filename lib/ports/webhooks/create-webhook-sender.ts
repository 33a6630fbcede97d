import { AssertionError } from "node:assert";
import { type Dispatcher, errors } from "undici";
import {
  DELIVERY_TIMEOUT_MS,
  type DeliveryProblem,
  KEPT_ANSWER_CHARACTERS,
  MAXIMUM_ANSWER_BYTES,
  MAXIMUM_URL_LENGTH,
  WEBHOOK_USER_AGENT,
} from "@/lib/contract/webhooks";
import {
  createGuardedConnector,
  createOriginPools,
  type EgressGuard,
  judgeHost,
  type OriginPools,
} from "@/lib/platform/egress/guarded-connector";
import { refuseAddress } from "@/lib/platform/egress/is-public-address";
import {
  createDnsResolver,
  EgressError,
  type EgressProblem,
  resolveBySystem,
} from "@/lib/platform/egress/resolve-host";
import type { WebhookAnswer, WebhookRequest, WebhookSender } from "@/lib/ports/webhooks/webhook-sender";

/** Characters that are invisible on a page, or that a URL parser strips. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Cs}]/u;

/** A person waits for it. */
const LOOKUP_TIMEOUT_MS = 5_000;

/** Control and format characters can forge lines and reverse text; a lone surrogate cannot be stored. */
const UNFIT = /(?![\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

const REPLACEMENT = "\uFFFD";

/** Replacements for the internet in tests. */
export interface SenderSeams extends Partial<EgressGuard> {
  timeoutMs?: number;
  /** The certificate trusted instead of the public ones. */
  ca?: string;
}

type Outcome = Omit<WebhookAnswer, "durationMs">;

/**
 * Sends to receivers on the internet, and to nothing that only this server can reach (docs/behavior/webhooks.md).
 * @param allowsPrivate also allows http and private addresses (WEBHOOK_ALLOW_PRIVATE); hosts are then resolved as by
 *   every other program on this machine
 */
export function createWebhookSender(
  { allowsPrivate }: { allowsPrivate: boolean },
  seams: SenderSeams = {},
): WebhookSender {
  const timeoutMs = seams.timeoutMs ?? DELIVERY_TIMEOUT_MS;
  const guard: EgressGuard = {
    resolve: seams.resolve ?? (allowsPrivate ? resolveBySystem : createDnsResolver()),
    refuse: seams.refuse ?? (allowsPrivate ? () => null : refuseAddress),
  };
  const { ca } = seams;
  const pools = createOriginPools(createGuardedConnector({ ...guard, timeoutMs, ...(ca ? { ca } : {}) }));
  return {
    post: async (request) => {
      const startedAt = performance.now();
      const refusal = checkUrlText(request.url, allowsPrivate);
      const outcome = refusal ? failure("ADDRESS", refusal) : await post(pools, request, timeoutMs);
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    },
    checkUrl: (url) => checkUrl(guard, url, { allowsPrivate }),
    close: () => pools.close(),
  };
}

/**
 * Handed to undici's dispatcher with a handler of our own: a signal, a timeout's promise and a stream for each answer
 * took 26 of 68 us.
 */
function post(
  pools: OriginPools,
  { url, headers, body }: WebhookRequest,
  timeoutMs: number,
): Promise<Outcome> {
  const { origin, pathname, search } = new URL(url);
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let response: ReceivedResponse | null = null;
    let isOver = false;
    // The status decides, whatever happens to the body: an accepted event must not count as lost.
    const end = (error: unknown) => {
      isOver = true;
      clearTimeout(timer);
      resolve(response === null ? describeError(error) : toOutcome(response, url));
    };
    const giveUp = (reason: Error) => {
      end(reason);
      // With its connection: unread bytes would be taken for the next response.
      controller?.abort(reason);
    };
    const timer = setTimeout(
      () => giveUp(new EgressError("TIMEOUT", `No answer within ${timeoutMs / 1_000} seconds`)),
      timeoutMs,
    );
    const request = {
      method: "POST",
      path: `${pathname}${search}`,
      headers: { ...headers, "user-agent": WEBHOOK_USER_AGENT },
      body,
    } as const;
    pools.of(origin).dispatch(request, {
      onRequestStart: (started) => {
        controller = started;
        // The time ran out before there was a connection: it is never sent.
        if (isOver) started.abort(new EgressError("TIMEOUT", "No connection in time"));
      },
      onResponseStart: (_controller, statusCode, { location, date, "retry-after": retryAfter }) => {
        // Hints come before the response.
        if (statusCode >= 200) response = { statusCode, location, date, retryAfter, begin: [], length: 0 };
      },
      onResponseData: (_controller, chunk) => {
        if (response === null || isOver) return;
        response.begin.push(chunk);
        response.length += chunk.length;
        if (response.length >= MAXIMUM_ANSWER_BYTES) giveUp(new Error("Enough was read"));
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(error),
    });
  });
}

interface ReceivedResponse {
  statusCode: number;
  location: string | string[] | undefined;
  /** When the receiver answered, by its own clock. */
  date: string | string[] | undefined;
  retryAfter: string | string[] | undefined;
  /** What arrived of the body; more than MAXIMUM_ANSWER_BYTES is not waited for. */
  begin: Uint8Array[];
  length: number;
}

function toOutcome(
  { statusCode, location, date, retryAfter, begin }: ReceivedResponse,
  url: string,
): Outcome {
  const retryAfterMs = readRetryAfter(retryAfter, date);
  if (statusCode >= 300 && statusCode < 400) {
    const answer = answerText(describeRedirect(location, url));
    return { statusCode, problem: "REDIRECT", answer, retryAfterMs };
  }
  const isTaken = statusCode >= 200 && statusCode < 300;
  const answer = begin.length === 0 ? "" : answerText(Buffer.concat(begin).subarray(0, MAXIMUM_ANSWER_BYTES));
  return { statusCode, problem: isTaken ? null : "STATUS", answer, retryAfterMs };
}

/**
 * Seconds, or a date (RFC 9110, 10.2.3), which counts from the response's own `Date`: by the receiver's clock, whatever
 * ours says.
 * @returns null for anything else
 */
function readRetryAfter(
  header: ReceivedResponse["retryAfter"],
  date: ReceivedResponse["date"],
): number | null {
  const [text = ""] = [header ?? []].flat();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const waitMs = readHttpDate(text) - readHttpDate([date ?? []].flat()[0] ?? "");
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

/** `Date.parse` also reads texts that are not HTTP dates, numbers among them. */
const readHttpDate = (text: string): number =>
  /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;

/** Only the origin: a path may carry what its server meant for one caller. */
function describeRedirect(header: ReceivedResponse["location"], url: string): string {
  const [location = ""] = [header ?? []].flat();
  const where = location !== "" && URL.canParse(location, url) ? new URL(location, url) : null;
  if (where === null) return "It redirects. Redirects are not followed.";
  const isWeb = where.protocol === "https:" || where.protocol === "http:";
  return `It redirects to ${isWeb ? where.origin : where.protocol}. Redirects are not followed.`;
}

function failure(problem: DeliveryProblem, message: string): Outcome {
  return { statusCode: null, problem, answer: answerText(message), retryAfterMs: null };
}

const PROBLEM_BY_EGRESS: Readonly<Record<EgressProblem, DeliveryProblem>> = {
  ADDRESS: "ADDRESS",
  UNKNOWN_HOST: "DNS",
  DNS: "DNS",
  TIMEOUT: "TIMEOUT",
  TLS: "TLS",
  CONNECTION: "CONNECTION",
};

function describeError(error: unknown): Outcome {
  if (error instanceof EgressError) return failure(PROBLEM_BY_EGRESS[error.problem], error.message);
  if (!(error instanceof Error)) return failure("CONNECTION", String(error));
  const code = "code" in error ? String(error.code) : "";
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError)
    return failure("PROTOCOL", error.message);
  // undici's error for a status below 100.
  if (error instanceof AssertionError)
    return failure("PROTOCOL", "Response does not match the HTTP/1.1 protocol");
  // A receiver that requires a client certificate says so after the handshake.
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code)) return failure("TLS", error.message);
  return failure("CONNECTION", error.message);
}

/** Makes a stranger's response safe to store and show; every change is visible. */
export function answerText(stated: string | Uint8Array): string {
  const text = typeof stated === "string" ? stated : new TextDecoder().decode(stated);
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", " ")
    .slice(0, KEPT_ANSWER_CHARACTERS)
    .replace(UNFIT, REPLACEMENT);
}

/**
 * Whether an endpoint at this address may be saved. Only a help for the person entering it: every connection is checked
 * again.
 * @returns null, also while DNS does not answer; or a sentence for the form
 */
async function checkUrl(
  guard: EgressGuard,
  url: string,
  { allowsPrivate, timeoutMs = LOOKUP_TIMEOUT_MS }: { allowsPrivate: boolean; timeoutMs?: number },
): Promise<string | null> {
  const refusal = checkUrlText(url, allowsPrivate);
  if (refusal !== null) return refusal;
  try {
    await judgeHost(guard, hostOf(new URL(url)), timeoutMs);
    return null;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    if (error.problem === "ADDRESS") return `${error.message}. Enter one that the internet reaches.`;
    return error.problem === "UNKNOWN_HOST" ? `${error.message}. Check the spelling.` : null;
  }
}

/** Without the brackets of an IPv6 literal. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/**
 * What an endpoint's address must be before any lookup.
 * @returns null, or a sentence for the form
 */
function checkUrlText(url: string, allowsPrivate: boolean): string | null {
  if (url.length > MAXIMUM_URL_LENGTH)
    return `Enter an address of at most ${MAXIMUM_URL_LENGTH.toLocaleString("en-US")} characters.`;
  if (UNSEEN.test(url)) return "Remove spaces and invisible characters from the address.";
  if (!URL.canParse(url)) return "Enter a full address, such as https://example.com/webhooks.";
  const parsed = new URL(url);
  if (allowsPrivate && parsed.protocol !== "https:" && parsed.protocol !== "http:")
    return "Enter an address that begins with https:// or http://.";
  if (!allowsPrivate && parsed.protocol !== "https:") return "Enter an address that begins with https://.";
  // Every member would see them, and they would go to the next owner of the host.
  if (parsed.username !== "" || parsed.password !== "")
    return "Remove the user name and password from the address.";
  if (parsed.href.includes("#")) return "Remove # and what follows it from the address. It is never sent.";
  return null;
}
