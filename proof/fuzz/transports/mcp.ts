import fc from "fast-check";
import { guidedTools } from "@/lib/api/mcp/guided-tools";
import { operations } from "@/lib/api/operations/table";
import { mutated } from "@/lib/testing/api-proof/mutations";
import { fixturesOf } from "@/lib/testing/api-proof/operation-fixtures";
import { hostileJson, hostileText, mutation } from "@/proof/fuzz/grammar/hostile";
import { http, jsonSpoiler, sometimes } from "@/proof/fuzz/grammar/http";
import { wireChange, withHeaders } from "@/proof/fuzz/grammar/wire";
import type { Scene } from "@/proof/fuzz/scene";
import type { FuzzRequest } from "@/proof/fuzz/send";
import { authorizations } from "@/proof/fuzz/transports/api";

const MODERN = "2026-07-28";
const ERAS = [MODERN, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "1999-01-01"];

interface Message {
  method: string;
  params: Record<string, unknown>;
}

/** `/mcp`: every tool with its input, and every other method, in the format of each revision. */
export function mcpRequests({ own, keys }: Scene): fc.Arbitrary<FuzzRequest> {
  const messages = [...toolCalls(own.ids), ...otherMessages()];
  return fc
    .record({
      message: fc.constantFrom(...messages),
      era: fc.constantFrom(MODERN, MODERN, ...ERAS),
      authorization: fc.oneof(
        { weight: 7, arbitrary: authorizations(keys) },
        { weight: 3, arbitrary: fc.constantFrom(...keys.tokens).map((token) => `Bearer ${token}`) },
      ),
      change: sometimes(2, mutation),
      shape: sometimes(5, shapeOfBody),
      spoiler: sometimes(6, jsonSpoiler),
      headers: sometimes(4, mcpHeaders),
      wire: sometimes(4, wireChange),
    })
    .map(({ message, era, authorization, change, shape, spoiler, headers, wire }) => {
      const whole = toJsonRpc(message, era);
      const sent = shape ? shape(whole) : change ? mutated(whole, change) : whole;
      const text = JSON.stringify(sent) ?? "";
      const plain = http(
        "POST",
        "/mcp",
        [...standardHeaders(message, era), ["Authorization", authorization]],
        spoiler ? spoiler(text) : text,
      );
      const withMore = headers ? withHeaders(plain, ...headers) : plain;
      return {
        transport: "mcp",
        shape: `${message.method} ${toolOf(message)}${wire ? ` with ${wire.name}` : ""}`,
        contract: wire ? "NONE" : "MCP",
        sent: wire ? wire.change(withMore) : withMore,
      };
    });
}

function toolOf({ params: { name = "" } }: Message): string {
  return String(name);
}

function toolCalls(ids: Scene["own"]["ids"]): Message[] {
  const call = (name: string, input: unknown) => ({
    method: "tools/call",
    params: { name, arguments: input },
  });
  return [
    ...operations.flatMap(({ operationId }) =>
      fixturesOf(operationId, { ids }).map(({ input }) => call(operationId, input)),
    ),
    ...guidedTools.map(({ name }) => call(name, {})),
    call("noSuchTool", {}),
    call("__proto__", {}),
  ];
}

function otherMessages(): Message[] {
  const clientInfo = { name: "fuzz", version: "1" };
  const greeting = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  return [
    { method: "initialize", params: greeting },
    { method: "initialize", params: {} },
    { method: "notifications/initialized", params: {} },
    { method: "notifications/cancelled", params: { requestId: 1, reason: "no" } },
    { method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
    { method: "ping", params: {} },
    { method: "server/discover", params: {} },
    { method: "tools/list", params: {} },
    { method: "tools/list", params: { cursor: "x" } },
    { method: "prompts/list", params: {} },
    { method: "prompts/get", params: { name: "review", arguments: { a: "b" } } },
    { method: "resources/list", params: {} },
    { method: "resources/templates/list", params: {} },
    { method: "resources/read", params: { uri: "sluice://rules/specification" } },
    { method: "resources/read", params: { uri: "file:///etc/passwd" } },
    { method: "resources/subscribe", params: { uri: "sluice://rules/specification" } },
    { method: "subscriptions/listen", params: { notifications: { toolsListChanged: true } } },
    { method: "completion/complete", params: { ref: { type: "ref/prompt", name: "x" }, argument: {} } },
    { method: "logging/setLevel", params: { level: "debug" } },
    { method: "tasks/list", params: {} },
    { method: "tasks/get", params: { taskId: "x" } },
    { method: "sampling/createMessage", params: {} },
    { method: "rpc.discover", params: {} },
    { method: "__proto__", params: {} },
    { method: "", params: {} },
  ];
}

function toJsonRpc({ method, params }: Message, era: string): Record<string, unknown> {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const isNotification = method.startsWith("notifications/");
  return {
    jsonrpc: "2.0",
    ...(!isNotification && { id: 1 }),
    method,
    params: era === MODERN ? { ...params, _meta: envelope } : params,
  };
}

function standardHeaders({ method, params }: Message, era: string): [string, string][] {
  const name = params.name ?? params.uri;
  const headers: [string, string][] = [
    ["Content-Type", "application/json"],
    ["Accept", "application/json, text/event-stream"],
    ["MCP-Protocol-Version", era],
  ];
  if (era === MODERN) headers.push(["Mcp-Method", method]);
  if (era === MODERN && typeof name === "string") headers.push(["Mcp-Name", name]);
  return headers;
}

type Shape = (message: Record<string, unknown>) => unknown;

/** Valid JSON that is not a message. */
const shapeOfBody: fc.Arbitrary<Shape> = fc.oneof(
  fc.constantFrom<Shape>(
    (message) => [message],
    (message) => Array.from({ length: 50 }, () => message),
    () => [],
    () => null,
    ({ method, params }) => ({ method, params }),
    (message) => ({ ...message, jsonrpc: "1.0" }),
    (message) => ({ ...message, id: null }),
    (message) => ({ ...message, id: { a: 1 } }),
    (message) => ({ ...message, id: 1.5 }),
    (message) => ({ ...message, id: "x".repeat(10_000) }),
    (message) => ({ ...message, params: [1, 2] }),
    (message) => ({ ...message, params: null }),
    () => ({ jsonrpc: "2.0", id: 1, result: {} }),
    () => ({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } }),
  ),
  hostileText.map(
    (method): Shape =>
      (message) => ({ ...message, method }),
  ),
  hostileJson.map(
    (params): Shape =>
      (message) => ({ ...message, params }),
  ),
);

const mcpHeaders: fc.Arbitrary<[string, string][]> = fc.constantFrom<[string, string][]>(
  [["Accept", "text/event-stream"]],
  [["Accept", "application/json"]],
  [["Accept", "text/html"]],
  [["MCP-Protocol-Version", "x"]],
  [["MCP-Protocol-Version", ""]],
  [["Mcp-Session-Id", "x".repeat(500)]],
  [["Mcp-Session-Id", "\xff"]],
  [["Mcp-Method", "tools/list"]],
  [["Mcp-Name", "createTransfer"]],
  [["Mcp-Name", "=?utf-8?B?x?="]],
  [["Last-Event-ID", "99999999"]],
  [["Mcp-Param-Amount", "1"]],
  [["Origin", "http://localhost:1"]],
);
