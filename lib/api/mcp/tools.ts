import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { callGuidedTool } from "@/lib/api/mcp/call-guided-tool";
import { callOperation } from "@/lib/api/mcp/call-operation";
import { describeTool } from "@/lib/api/mcp/describe-tool";
import type { GuidedTool } from "@/lib/api/mcp/guided/guided-tool";
import { guidedTools } from "@/lib/api/mcp/guided-tools";
import { describeArguments, describeWhole } from "@/lib/api/mcp/input-schema";
import type { McpCall } from "@/lib/api/mcp/mcp-call";
import { describeStructuredContent } from "@/lib/api/mcp/output-schema";
import type { Operation } from "@/lib/api/operations/operation";
import { operations } from "@/lib/api/operations/table";
import type { ToolHints } from "@/lib/api/operations/tool-hints";
import type { PermissionType } from "@/lib/contract/permissions";
import type { CallerActor } from "@/lib/core/shared/context";
import { permissionOf } from "@/lib/core/shared/permits";

export interface McpTool {
  definition: Tool;
  /** Null: every caller may. */
  permission: PermissionType | null;
  call: (call: McpCall, sent: Record<string, unknown>) => Promise<CallToolResult>;
}

/** Every tool by its name: the operations of the API, and those that show the way to a page. */
export const tools: ReadonlyMap<string, McpTool> = new Map(
  [...operations.map(fromOperation), ...guidedTools.map(fromGuided)].map((tool) => [
    tool.definition.name,
    tool,
  ]),
);

/** The tools that this caller may call, and nothing else (specification, Part 5, "MCP server"). */
export function toolsFor(actor: CallerActor): Tool[] {
  return [...tools.values()]
    .filter(({ permission }) => permission === null || permissionOf(actor, permission) !== null)
    .map(({ definition }) => definition);
}

function fromOperation(operation: Operation): McpTool {
  const { operationId, summary, permission, output, tool } = operation;
  return {
    definition: {
      name: operationId,
      title: summary,
      description: describeTool(operation),
      inputSchema: describeArguments(operation),
      outputSchema: describeStructuredContent(output),
      annotations: toAnnotations(summary, tool.hints),
    },
    permission,
    call: (call, sent) => callOperation(call, operation, sent),
  };
}

function fromGuided(guided: GuidedTool): McpTool {
  const { name, title, description, hints, input, output } = guided;
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: describeWhole(input),
      outputSchema: describeStructuredContent(output),
      annotations: toAnnotations(title, hints),
    },
    permission: null,
    call: (call, sent) => callGuidedTool(call, guided, sent),
  };
}

function toAnnotations(title: string, hints: ToolHints): Tool["annotations"] {
  return {
    title,
    readOnlyHint: hints.readOnly,
    destructiveHint: hints.destructive,
    idempotentHint: hints.idempotent,
    openWorldHint: hints.openWorld,
  };
}
