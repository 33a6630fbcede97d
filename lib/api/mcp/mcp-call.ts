import type { OperationServices } from "@/lib/api/operations/run-operation";
import type { AppError } from "@/lib/contract/error";
import type { CallerActor, Context } from "@/lib/core/shared/context";

/** One request to the MCP server whose caller is known and counted. */
export interface McpCall {
  services: OperationServices;
  context: Context<CallerActor>;
  /** Why this request is one too many in its minute; null within the limit. A tool's answer says it to the agent. */
  overLimit: AppError | null;
}

export const MCP_PATH = "/mcp";

/** As the audit log has it: every request goes to one path, so what it asked for stands behind it. */
export function auditPath(asked: string): string {
  return asked === "" ? MCP_PATH : `${MCP_PATH}#${asked}`;
}
