import { INTERNAL_ERROR } from "@modelcontextprotocol/server";
import { z } from "zod";
import { auditPath, type McpCall } from "@/lib/api/mcp/mcp-call";
import type { ErrorCode } from "@/lib/contract/error";
import { auditEntry } from "@/lib/core/shared/audit-entry";

const TOOL_CALL = "tools/call";
const errorSchema = z.object({ error: z.object({ code: z.number() }) });

/**
 * Writes what became of a message into the audit log, before its answer leaves. A tool that was reached has written its
 * own entry, with its action and in the transaction of what it changed.
 */
export async function recordOutcome(call: McpCall, method: string, response: Response): Promise<Response> {
  const text = await response.text();
  const error = errorOf(text);
  if (method !== TOOL_CALL || error !== null) {
    const line = { method: "POST", path: auditPath(method), action: null };
    const { audit } = call.services;
    const entry = auditEntry(call.context, line, error);
    await (call.overLimit ? audit.writeAboveLimit(entry) : audit.write(entry));
  }
  return new Response(text === "" ? null : text, response);
}

/** Null: it was answered. */
function errorOf(text: string): ErrorCode | null {
  if (!text.startsWith("{")) return null;
  const code = errorSchema.safeParse(JSON.parse(text)).data?.error.code;
  if (code === undefined) return null;
  return code === INTERNAL_ERROR ? "UNEXPECTED_ERROR" : "INVALID_PARAMETERS";
}
