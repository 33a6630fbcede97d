import { MCP_PATH } from "@/lib/api/mcp/mcp-call";
import { tools } from "@/lib/api/mcp/tools";
import { operations } from "@/lib/api/operations/table";
import type { AssistantsView } from "@/lib/contract/views/reference-view";

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
