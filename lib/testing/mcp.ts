import { z } from "zod";
import { createMcp } from "@/lib/api/mcp/app";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import type { Services } from "@/lib/platform/services";

const JSON_RPC = z.object({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
const TOOL_RESULT = z.object({
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()),
  isError: z.boolean().optional(),
});

export type Era = "2026-07-28" | "2025-11-25";

export interface McpAnswer {
  status: number;
  headers: Headers;
  text: string;
  rpc: z.infer<typeof JSON_RPC>;
}

/** The MCP server in this process, called with whole requests. */
export function createTestMcp(services: Services) {
  const api = createMcp({ ...services, audit: createAuditWriter(services) });
  const { host } = new URL(services.appUrl);

  async function post(
    credential: string | null,
    rawBody: string,
    headers: Record<string, string> = {},
  ): Promise<McpAnswer> {
    const response = await api.fetch(
      new Request(`${services.appUrl}/mcp`, {
        method: "POST",
        headers: {
          Host: host,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...(credential !== null && { Authorization: `Bearer ${credential}` }),
          ...headers,
        },
        body: rawBody,
      }),
    );
    const text = await response.text();
    // Errors before there is a message to answer are not JSON-RPC.
    const rpc = text.includes('"jsonrpc"') ? JSON_RPC.parse(JSON.parse(text)) : {};
    return { status: response.status, headers: response.headers, text, rpc };
  }

  /** One message in the format of an era. */
  function ask(
    credential: string | null,
    method: string,
    params: Record<string, unknown> = {},
    era: Era = "2026-07-28",
    headers: Record<string, string> = {},
  ): Promise<McpAnswer> {
    const { _meta, ...rest } = params;
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: era === "2026-07-28" ? { ...rest, _meta: envelope(era) } : params,
    };
    const standard = era === "2026-07-28" ? standardHeaders(era, method, params) : {};
    return post(credential, JSON.stringify(message), { ...standard, ...headers });
  }

  return {
    api,
    post,
    ask,
    /** Calls an existing tool; returns its answer, refusals included. */
    callTool: async (
      credential: string,
      name: string,
      sent: Record<string, unknown>,
      era: Era = "2026-07-28",
    ) => {
      const answer = await ask(credential, "tools/call", { name, arguments: sent }, era);
      const { content, structuredContent, isError } = TOOL_RESULT.parse(answer.rpc.result);
      return { text: content[0].text, structured: structuredContent, isError: isError === true };
    },
    /** The names of the tools listed to a caller. */
    listTools: async (credential: string, era: Era = "2026-07-28") => {
      const { rpc } = await ask(credential, "tools/list", {}, era);
      return z.object({ tools: z.array(z.looseObject({ name: z.string() })) }).parse(rpc.result).tools;
    },
  };
}

export type TestMcp = ReturnType<typeof createTestMcp>;

function envelope(era: Era): Record<string, unknown> {
  return {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientInfo": { name: "vitest", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
}

function standardHeaders(era: Era, method: string, params: Record<string, unknown>): Record<string, string> {
  const name = params.name ?? params.uri;
  return {
    "MCP-Protocol-Version": era,
    "Mcp-Method": method,
    ...(typeof name === "string" && { "Mcp-Name": name }),
  };
}
