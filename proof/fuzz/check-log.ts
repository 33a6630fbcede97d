import { z } from "zod";

const WARNING = 40;
const lineSchema = z.looseObject({
  level: z.number(),
  msg: z.string().optional(),
  requestId: z.string().optional(),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).optional(),
});

export interface LogFinding {
  what: string;
  /** With which a request was answered. */
  requestId: string | null;
  text: string;
}

/** @returns what is wrong with a line of the product's log: every error, and whatever is no line of the log at all */
export function checkLogLine(line: string): LogFinding | null {
  const parsed = lineSchema.safeParse(parseJson(line));
  // Next's own copy of an error, of which our log has a line besides (instrumentation.ts): that one counts.
  if (!parsed.success && /^⨯ |is not valid JSON$|^Error: Failed to find Server Action/.test(line))
    return null;
  // What it takes a body for whose sender hung up before it was read.
  if (line.startsWith("oidc-provider WARNING: already parsed request body")) return null;
  // The rest of what stands in several lines: a stack, an object.
  if (!parsed.success && /^[\s}\]]|^Read more:|^Learn more:|^To configure the body size/.test(line))
    return null;
  if (!parsed.success) return { what: `prints: ${line.slice(0, 200)}`, requestId: null, text: line };
  const { level, msg = "", err, requestId = null } = parsed.data;
  if (level <= WARNING) return null;
  const cause = err?.message ? `: ${err.message.slice(0, 160)}` : "";
  return { what: `logs an error, «${msg}»${cause}`, requestId, text: err?.stack ?? line };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
