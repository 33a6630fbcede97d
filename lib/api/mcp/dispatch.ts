import {
  createMcpHandler,
  INVALID_PARAMS,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createServer } from "@/lib/api/mcp/create-server";
import type { McpCall } from "@/lib/api/mcp/mcp-call";
import { MalformedMessage } from "@/lib/api/mcp/protocol-error";
import { methodOf } from "@/lib/api/mcp/read-message";

/**
 * One message through the SDK: revision 2026-07-28 carries everything in the message, the revisions before it began
 * with `initialize`. Both are served without a session, so that nothing is kept between requests.
 * @param message the body, parsed
 * @throws MalformedMessage
 */
export async function dispatch(call: McpCall, request: Request, message: object): Promise<Response> {
  const passed = withoutCredential(request);
  if (await isLegacyRequest(passed, message)) {
    refuseHalfGreeting(message);
    return await dispatchLegacy(call, passed, message);
  }
  const modern = createMcpHandler(() => createServer(call), {
    legacy: "reject",
    onerror: ({ message: reason }) =>
      call.services.log.debug({ requestId: call.context.requestId, reason }, "mcp message refused"),
  });
  return await modern.fetch(passed, { parsedBody: message });
}

/**
 * The SDK answers this one message itself, and would call what is missing in it a fault of ours. Revision 2026-07-28 has
 * no such method, which the SDK says.
 */
function refuseHalfGreeting(message: object): void {
  if (methodOf(message) !== "initialize" || isInitializeRequest(message)) return;
  throw new MalformedMessage(
    INVALID_PARAMS,
    "initialize takes params with protocolVersion, capabilities and clientInfo { name, version }.",
  );
}

/** As one JSON body: nothing is told before the result, so there is nothing to stream. */
async function dispatchLegacy(call: McpCall, request: Request, message: object): Promise<Response> {
  const server = createServer(call);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(request, { parsedBody: message });
    return new Response(await response.text().then((text) => text || null), response);
  } finally {
    await server.close();
  }
}

/** Nothing behind this needs the credential. Answers are JSON, so whoever accepts that need not accept streams too. */
function withoutCredential(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: request.method, headers });
}
