import { INVALID_REQUEST, PARSE_ERROR } from "@modelcontextprotocol/server";
import { z } from "zod";
import { readBody } from "@/lib/api/http/read-body";
import { MalformedMessage } from "@/lib/api/mcp/protocol-error";

/**
 * The one JSON-RPC message of a request. Several in an array, as the revision of March 2025 had them, would count as one
 * against the rate limit.
 * @throws AppError `PAYLOAD_TOO_LARGE`; `MalformedMessage`
 */
export async function readMessage(request: Request): Promise<object> {
  const message = parse(await readBody(request));
  if (Array.isArray(message)) throw new MalformedMessage(INVALID_REQUEST, "Send one message per request.");
  if (typeof message !== "object" || message === null) {
    throw new MalformedMessage(INVALID_REQUEST, "The body must be a JSON-RPC message.");
  }
  return message;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedMessage(PARSE_ERROR, "The body must be JSON in UTF-8.");
  }
}

const methodSchema = z.object({
  method: z
    .string()
    .regex(/^[a-z]+(\/[a-z_]+){0,2}$/i)
    .max(60),
});

/** What a message asks for, fit for the audit log; empty where that is nothing that could be a method. */
export function methodOf(message: object): string {
  return methodSchema.safeParse(message).data?.method ?? "";
}
