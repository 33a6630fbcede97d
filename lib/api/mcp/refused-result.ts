import type { CallToolResult } from "@modelcontextprotocol/server";
import type { McpCall } from "@/lib/api/mcp/mcp-call";
import { oneLine, quoteExactly } from "@/lib/api/mcp/tell/quote";
import { REFUSAL_ADVICE } from "@/lib/api/mcp/tell/refusal-advice";
import type { AppError } from "@/lib/contract/error";
import { seenJson } from "@/lib/contract/plain-text";

const MESSAGE_LENGTH = 1_000;

const FIELD_LENGTH = 120;

const PROBLEM_LENGTH = 200;

/** A body of many mistakes has few causes; the structured content has them all. */
const FIELDS_SHOWN = 20;

/** A refusal as a result: the agent reads why, and what to do. */
export function toRefusedResult({ services, context }: McpCall, refusal: AppError): CallToolResult {
  const { code, message, details } = refusal;
  const { requestId } = context;
  return {
    content: [{ type: "text", text: tellRefusal(refusal, requestId, services.appUrl) }],
    // Messages name accounts, rules and fields as others wrote them.
    structuredContent: { error: seenJson({ code, message, details: [...details] }), requestId },
    isError: true,
  };
}

/**
 * A refusal in words: what was wrong, what would be right, and what to do next.
 * @param requestId what a person quotes when they ask for help
 */
export function tellRefusal({ code, message, details }: AppError, requestId: string, appUrl: string): string {
  const shown = details.slice(0, FIELDS_SHOWN);
  const more = details.length - shown.length;
  return [
    `Refused (${code}): ${oneLine(message, MESSAGE_LENGTH)}`,
    // Names of fields are the caller's own when they are unknown ones: whoever fed them to the agent may have chosen them.
    ...shown.map(
      ({ field, message: problem }) =>
        `- ${quoteExactly(field, FIELD_LENGTH)} ${oneLine(problem, PROBLEM_LENGTH)}`,
    ),
    ...(more > 0 ? [`- and ${more} more, in the structured content`] : []),
    `What to do: ${REFUSAL_ADVICE[code]}`,
    `Dashboard: ${appUrl}. Request id: ${requestId}.`,
  ].join("\n");
}
