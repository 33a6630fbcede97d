import type { CallToolResult } from "@modelcontextprotocol/server";
import type { McpCall } from "@/lib/api/mcp/mcp-call";
import { tellRefusal } from "@/lib/api/mcp/tell-refusal";
import type { AppError } from "@/lib/contract/error";

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
