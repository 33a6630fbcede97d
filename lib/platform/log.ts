import pino from "pino";

export type Log = pino.Logger;

/**
 * Structured log on standard error, one JSON object per line. Whatever could open a door is cut out by path,
 * also when somebody logs a whole request by mistake.
 */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: undefined,
      serializers: { err: describeError },
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
 * Only what is needed to find a fault. Errors of libraries carry whole objects with them (a lost connection its client,
 * and that its password), and a query's error the values that were in it.
 */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack };
}
