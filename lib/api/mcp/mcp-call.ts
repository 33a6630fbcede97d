import type { OperationServices } from "@/lib/api/operations/run-operation";
import type { AppError } from "@/lib/contract/error";
import type { CallerActor, Context } from "@/lib/core/shared/context";

/** One request to the MCP server whose caller is authenticated and counted. */
export interface McpCall {
  services: OperationServices;
  context: Context<CallerActor>;
  /** The refusal when over the rate limit; null within it. A tool's answer reports it to the agent. */
  overLimit: AppError | null;
  /** In place of a tool's arguments: something that is not an object. */
  oddArguments?: unknown;
  /** As `Call` of operations says. */
  gone: () => AbortSignal | null;
}

export const MCP_PATH = "/mcp";

/** For the audit log: every request goes to one path, so its method is appended. */
export function auditPath(asked: string): string {
  return asked === "" ? MCP_PATH : `${MCP_PATH}#${asked}`;
}
