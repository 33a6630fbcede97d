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
