import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import { INSTRUCTIONS } from "@/lib/api/mcp/instructions";
import type { McpCall } from "@/lib/api/mcp/mcp-call";
import { getPrompt, listPrompts } from "@/lib/api/mcp/prompts";
import {
  callToolParams,
  getPromptParams,
  listParams,
  readResourceParams,
} from "@/lib/api/mcp/request-params";
import { listResources, readResource } from "@/lib/api/mcp/resources";
import { tools, toolsFor } from "@/lib/api/mcp/tools";
import { API_VERSION } from "@/lib/contract/api-version";

/** How long a client may go on with what it was told: lists change with the role, texts with the version. */
const MINUTE_MS = 60_000;
const PUBLIC_FOR_AN_HOUR = { ttlMs: 60 * MINUTE_MS, cacheScope: "public" as const };

/**
 * The MCP server as one request of one caller sees it. It keeps nothing between requests, so any process can answer any
 * of them.
 */
export function createServer(call: McpCall): Server {
  const server = new Server(
    { name: "sluice", title: "Sluice", version: API_VERSION, websiteUrl: call.services.appUrl },
    {
      capabilities: { tools: {}, prompts: {}, resources: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        "tools/list": { ttlMs: MINUTE_MS, cacheScope: "private" },
        "prompts/list": PUBLIC_FOR_AN_HOUR,
        "resources/list": PUBLIC_FOR_AN_HOUR,
        "resources/templates/list": PUBLIC_FOR_AN_HOUR,
        "resources/read": PUBLIC_FOR_AN_HOUR,
        "server/discover": PUBLIC_FOR_AN_HOUR,
      },
    },
  );
  const lists = { params: listParams };
  server.setRequestHandler("tools/list", lists, () => ({ tools: toolsFor(call.context.actor) }));
  server.setRequestHandler("tools/call", { params: callToolParams }, (params) => {
    const tool = tools.get(params.name);
    if (!tool)
      throw invalid(`There is no tool «${params.name.slice(0, 60)}». Call tools/list for those there are.`);
    return tool.call(call, params.arguments ?? {});
  });
  server.setRequestHandler("prompts/list", lists, () => ({ prompts: listPrompts() }));
  server.setRequestHandler("prompts/get", { params: getPromptParams }, (params) =>
    getPrompt(params.name, params.arguments ?? {}),
  );
  server.setRequestHandler("resources/list", lists, () => ({ resources: listResources() }));
  server.setRequestHandler("resources/templates/list", lists, () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", { params: readResourceParams }, (params) => {
    const resource = readResource(params.uri);
    if (!resource) throw new ResourceNotFoundError(params.uri);
    return { contents: [resource] };
  });
  return server;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
