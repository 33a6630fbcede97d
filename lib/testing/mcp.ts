import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/client";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import { createMcp } from "@/lib/doors/mcp/app";
import { MCP_PATH } from "@/lib/doors/mcp/mcp-call";
import type { Services } from "@/lib/platform/services";

export interface McpAnswer {
  status: number;
  headers: Headers;
  // Tests look into it with matchers; a wrong shape fails there.
  body: unknown;
  text: string;
}

export interface McpRequest {
  method?: string;
  message?: unknown;
  /** As it goes over the wire, instead of `message`. */
  rawBody?: string;
  headers?: Record<string, string>;
}

/** One of those that begin with `initialize`, and the one in which every message says everything. */
export type Revision = "2025-11-25" | "2026-07-28";

export type TestMcp = ReturnType<typeof createTestMcp>;

/** The MCP door in this process, called with whole requests of a client of this revision, without a session. */
export function createTestMcp(services: Services, revision: Revision = "2025-11-25") {
  const door = createMcp({ ...services, audit: createAuditWriter(services.pool) });
  const url = new URL(MCP_PATH, services.appUrl);

  async function send(
    credential: string | null,
    { method = "POST", message, rawBody = JSON.stringify(message), headers }: McpRequest,
  ): Promise<McpAnswer> {
    const response = await door.fetch(
      new Request(url, {
        method,
        headers: {
          Host: url.host,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          "MCP-Protocol-Version": revision,
          ...(credential !== null && { Authorization: `Bearer ${credential}` }),
          ...headers,
        },
        ...(method === "POST" && { body: rawBody }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : null,
    };
  }

  let lastId = 0;
  const ask = (credential: string | null, method: string, params: Record<string, unknown> = {}) => {
    lastId += 1;
    const message = { jsonrpc: "2.0", id: lastId, method, params: inEnvelope(revision, params) };
    return send(credential, { message, headers: standardHeaders(revision, method, params) });
  };
  const callTool = (credential: string | null, name: string, args: Record<string, unknown> = {}) =>
    ask(credential, "tools/call", { name, arguments: args });
  /** What the caller is shown, in order of their names. */
  const toolNames = async (credential: string): Promise<string[]> => {
    const { body } = await ask(credential, "tools/list");
    const listed: { name: string }[] = Object(body).result.tools;
    return listed.map(({ name }) => name).sort();
  };
  return { send, ask, callTool, toolNames };
}

function inEnvelope(revision: Revision, params: Record<string, unknown>): Record<string, unknown> {
  if (revision === "2025-11-25") return params;
  return {
    ...params,
    _meta: {
      [PROTOCOL_VERSION_META_KEY]: revision,
      [CLIENT_INFO_META_KEY]: { name: "a test", version: "1" },
      [CLIENT_CAPABILITIES_META_KEY]: {},
    },
  };
}

/** What is in the message once more, for what stands between client and server. */
function standardHeaders(
  revision: Revision,
  method: string,
  { name }: Record<string, unknown>,
): Record<string, string> {
  if (revision === "2025-11-25") return {};
  return { "Mcp-Method": method, ...(typeof name === "string" && { "Mcp-Name": name }) };
}

/** `OK`, `REFUSED <code>` for a result with `isError`, `ERROR <code>` for an error of the protocol. */
export function outcomeOfTool({ body }: McpAnswer): string {
  const { result, error } = Object(body);
  if (error) return `ERROR ${error.code}`;
  return result.isError ? `REFUSED ${result.structuredContent.error.code}` : "OK";
}
