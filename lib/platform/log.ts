import pino from "pino";
import { hasCode, hasCodeClass } from "@/lib/platform/error-code";
import { readableStack } from "@/lib/platform/readable-stack";

export type Log = pino.Logger;

/** However many requests and kinds of work meet the same outage. */
const OUTAGE_LINE_EVERY_MS = 1_000;
const MAXIMUM_CAUSES = 5;
/** Requests in progress that met an outage; more are not remembered. */
const MAXIMUM_FAILED_REQUESTS = 10_000;
/** pino's number. */
const WARN = 40;

/**
 * Structured log on standard error, one JSON object per line. Credentials are redacted by path, even if someone logs a
 * whole request by mistake.
 */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: undefined,
      serializers: { err: describeError },
      hooks: { logMethod: limitOutageLines() },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          "authorization",
          "cookie",
          "password",
          "secret",
          "token",
          "*.authorization",
          "*.cookie",
          "*.password",
          "*.secret",
          "*.token",
          "headers.authorization",
          "headers.cookie",
          "*.headers.authorization",
          "*.headers.cookie",
        ],
        censor: "[redacted]",
      },
    },
    pino.destination({ dest: 2, sync: false }),
  );
}

/**
 * Only what is needed to find a bug. Library errors carry whole objects (a lost connection its client with the
 * password), and a query's error carries its values.
 */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack && readableStack(error.stack) };
}

/**
 * While the database is down, every request and every kind of work fails, thousands of times a second: one line a
 * second reports it, with the number of suppressed lines. A failed request is suppressed only as an error: it keeps its
 * line among the requests.
 */
function limitOutageLines(): NonNullable<pino.LoggerOptions["hooks"]>["logMethod"] {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let outageAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  // A request's error is logged before its end, on a busy machine seconds before.
  const failedRequests = new Set<unknown>();
  return function limit(args, method, level) {
    const [facts, ...words]: unknown[] = args;
    const now = performance.now();
    const isOutage = isObject(facts) && "err" in facts && isConnectionLoss(facts.err);
    if (isOutage) outageAt = now;
    const requestId = isObject(facts) && "requestId" in facts ? facts.requestId : undefined;
    if (isOutage && requestId !== undefined && failedRequests.size < MAXIMUM_FAILED_REQUESTS)
      failedRequests.add(requestId);
    // Readiness logs no error of its own.
    const isFailedRequest =
      isObject(facts) &&
      "transport" in facts &&
      "status" in facts &&
      (failedRequests.delete(requestId) || now - outageAt < OUTAGE_LINE_EVERY_MS);
    if (level < WARN || !(isOutage || isFailedRequest)) {
      method.apply(this, args);
      return;
    }
    if (now - reportedAt < OUTAGE_LINE_EVERY_MS) {
      leftOut += 1;
      if (isFailedRequest) this.info(facts, "request");
      return;
    }
    const [text] = words;
    method.apply(this, [leftOut > 0 ? { ...facts, leftOut } : facts, String(text)]);
    leftOut = 0;
    // Not `now`: a busy machine may pause the process until the line gets its time, and the next one would follow too soon.
    reportedAt = performance.now();
  };
}

/** The database or the connection to it is gone, as opposed to a rejected statement. */
function isConnectionLoss(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < MAXIMUM_CAUSES && cause instanceof Error; depth++) {
    if (
      hasCode(
        cause,
        "ECONNREFUSED",
        "ECONNRESET",
        "EPIPE",
        "ENOENT",
        "ETIMEDOUT",
        "EHOSTUNREACH",
        "57P01",
        "57P02",
        "57P03",
      ) ||
      hasCodeClass(cause, "08", "53") ||
      /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(cause.message)
    )
      return true;
    cause = cause.cause;
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
