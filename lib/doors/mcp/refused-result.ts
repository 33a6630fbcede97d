import type { CallToolResult } from "@modelcontextprotocol/server";
import type { AppError } from "@/lib/contract/error";
import type { McpCall } from "@/lib/doors/mcp/mcp-call";
import { tellRefusal } from "@/lib/doors/mcp/tell-refusal";

/** A refusal as a result: the agent reads why, and what to do. */
export function toRefusedResult({ services, context }: McpCall, refusal: AppError): CallToolResult {
  const { code, message, details } = refusal;
  const { requestId } = context;
  return {
    content: [{ type: "text", text: tellRefusal(refusal, requestId, services.appUrl) }],
    structuredContent: { error: { code, message, details: [...details] }, requestId },
    isError: true,
  };
}
