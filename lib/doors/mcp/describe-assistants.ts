import type { AssistantsView } from "@/lib/contract/views/reference-view";
import { MCP_PATH } from "@/lib/doors/mcp/mcp-call";
import { tools } from "@/lib/doors/mcp/tools";
import { operations } from "@/lib/doors/operations/table";

const OPERATION_IDS = new Set(operations.map(({ operationId }) => operationId));

/** What the guide to assistants shows of the MCP server: the very tools that `tools/list` chooses from. */
export function describeAssistants(appUrl: string): AssistantsView {
  return {
    mcpUrl: `${appUrl}${MCP_PATH}`,
    tools: [...tools].map(([name, { definition, permission }]) => ({
      name,
      title: definition.title ?? name,
      permission,
      isGuide: !OPERATION_IDS.has(name),
    })),
  };
}
