import type { CallToolResult } from "@modelcontextprotocol/server";
import type { GuidedTool } from "@/lib/api/mcp/guided/guided-tool";
import { auditPath, type McpCall } from "@/lib/api/mcp/mcp-call";
import { toRefusedResult } from "@/lib/api/mcp/refused-result";
import { recordRefusal } from "@/lib/api/operations/record-refusal";
import { auditEntry } from "@/lib/core/shared/audit-entry";

/** Calls a tool that changes nothing and shows the way to the page where a person does it. */
export async function callGuidedTool(
  call: McpCall,
  tool: GuidedTool,
  sent: Record<string, unknown>,
): Promise<CallToolResult> {
  const { services, context, overLimit } = call;
  const { requestId } = context;
  const line = { method: "POST", path: auditPath(tool.name) };
  try {
    if (overLimit) throw overLimit;
    const { text, data } = tool.answer(sent, services.appUrl);
    await services.audit.write(auditEntry(context, { ...line, action: null }, null));
    return { content: [{ type: "text", text }], structuredContent: { data, requestId } };
  } catch (error) {
    const isAboveLimit = overLimit !== null;
    const refused = {
      requestId,
      operationId: tool.name,
      caller: context,
      ...line,
      auditAction: null,
      isAboveLimit,
    };
    return toRefusedResult(call, await recordRefusal(services, refused, error));
  }
}
