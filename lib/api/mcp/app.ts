import {
  createMcpHandler,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isInitializeRequest,
  isLegacyRequest,
  PARSE_ERROR,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { bearerOf } from "@/lib/api/http/incoming-request";
import { limitRate, sayWhenUncrowded } from "@/lib/api/http/limit-rate";
import { readBody } from "@/lib/api/http/read-body";
import { whenClosed } from "@/lib/api/http/when-closed";
import { createServer } from "@/lib/api/mcp/create-server";
import { auditPath, MCP_PATH, type McpCall } from "@/lib/api/mcp/mcp-call";
import { findParamProblem, takeOddArguments } from "@/lib/api/mcp/message-params";
import { answerRefusal, MalformedMessage, senderRefused } from "@/lib/api/mcp/protocol-error";
import { tools } from "@/lib/api/mcp/tools";
import { OFFLINE_SCOPE, RESOURCE_SCOPE } from "@/lib/api/oauth/settings";
import { type OperationServices, recordRefusal } from "@/lib/api/operations/run-operation";
import { toolOperations } from "@/lib/api/operations/table";
import { AppError, type ErrorCode } from "@/lib/contract/error";
import { MAXIMUM_BODY_BYTES, MAXIMUM_DOCUMENT_BODY_BYTES, REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import { type Authentication, authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { authenticateAssistant } from "@/lib/core/keys/authenticate-assistant";
import { isKeyText } from "@/lib/core/keys/key-text";
import { noteNetwork } from "@/lib/core/keys/note-network";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import {
  newFacts,
  noteCaller,
  type RequestBindings,
  type RequestFacts,
} from "@/lib/platform/observe/request-facts";
import type { Services } from "@/lib/platform/services";

const methodSchema = z.object({
  method: z
    .string()
    .regex(/^[a-z]+(\/[a-z_]+){0,2}$/i)
    .max(60),
});

/**
 * One scope, since permissions follow from the key or the member's role, plus the scope for staying connected:
 * clients request what the challenge names, and without it they get no refresh token.
 */
const CHALLENGED_SCOPES = `${RESOURCE_SCOPE} ${OFFLINE_SCOPE}`;

const TOOL_CALL = "tools/call";

const errorSchema = z.looseObject({ error: z.looseObject({ code: z.number() }) });

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

const toolCallSchema = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) });

export interface McpApi {
  fetch: (request: Request, bindings?: RequestBindings) => Promise<Response>;
}

/** The API for agents: `/mcp`, Streamable HTTP (specification, Part 5, "MCP server"). */
export function createMcp(services: OperationServices): McpApi {
  return {
    fetch: async (request, bindings) => {
      const facts = bindings?.facts ?? newFacts();
      const { requestId } = facts;
      facts.route = MCP_PATH;
      const headers: Record<string, string> = { "X-Request-Id": requestId, "Cache-Control": "no-store" };
      const response = await receive(
        services,
        request,
        { facts, gone: () => whenClosed(bindings?.outgoing) },
        headers,
      );
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    },
  };
}

/** What a request's connection tells. */
interface Connection extends Pick<McpCall, "gone"> {
  facts: RequestFacts;
}

/** Address and sender → authenticate → the steps for every known caller. */
async function receive(
  services: OperationServices,
  request: Request,
  { facts, gone }: Connection,
  headers: Record<string, string>,
): Promise<Response> {
  const foreign = checkSender(request, services.appUrl);
  if (foreign !== null) return senderRefused(403, foreign);
  if (request.method !== "POST") {
    headers.Allow = "POST";
    return senderRefused(405, "Send each message by POST: there are no sessions and no streams.");
  }
  const authentication = await identify(services, request, headers);
  if (authentication instanceof Response) return authentication;
  if (!authentication) return challenge(request, services.appUrl, facts.requestId);
  noteCaller(facts, authentication);
  const { organizationId, actor } = authentication;
  noteNetwork(services, { organizationId, id: actor.id }, request.headers.get(CLIENT_ADDRESS_HEADER));
  return await serve(services, authentication, request, { facts, gone }, headers);
}

/** Authenticates the caller. A response means that too many unknown credentials are arriving to look this one up. */
async function identify(
  services: OperationServices,
  request: Request,
  headers: Record<string, string>,
): Promise<Authentication | Response | null> {
  try {
    return await authenticateCaller(services, request, `${services.appUrl}${MCP_PATH}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    sayWhenUncrowded(error, null, headers);
    return answerRefusal(error);
  }
}

/** Message → rate limit → dispatch → audit, in the order of the API's checks. */
async function serve(
  services: OperationServices,
  authentication: Authentication,
  request: Request,
  { facts, gone }: Connection,
  headers: Record<string, string>,
): Promise<Response> {
  const { organizationId, actor, now } = authentication;
  const { requestId } = facts;
  const context: Context<CallerActor> = { organizationId, actor, now, requestId, calledReason: null };
  let method = "";
  try {
    const overLimit = countedOver(services, authentication, headers);
    const { message, ...odd } = takeOddArguments(await readMessage(request));
    method = methodOf(message);
    facts.operation = toolOf(message) ?? method;
    // A tool's refusal is a result that its agent reads: there the call itself reports the limit.
    if (overLimit && method !== "tools/call") throw overLimit;
    const call = { services, context, overLimit, gone, ...odd };
    const answer = inOurWords(message, await textOf(await dispatch(call, request, message)));
    return await recordOutcome(call, method, answer);
  } catch (error) {
    const path = auditPath(method);
    const refused = {
      requestId,
      operationId: path,
      caller: context,
      method: "POST",
      path,
      auditAction: null,
      isAboveLimit: authentication.requestsThisMinute > REQUESTS_PER_MINUTE,
    };
    return answerRefusal(await recordRefusal(services, refused, error));
  }
}

/** The refusal when this request is over the limit of its minute, or null. */
function countedOver(
  services: OperationServices,
  { actor, requestsThisMinute }: Authentication,
  headers: Record<string, string>,
): AppError | null {
  try {
    limitRate(services, requestsThisMinute, headers, actor.kind === "API_KEY" ? "key" : "assistant");
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The tool that a message calls; null for an unknown tool. */
function toolOf(message: object): string | null {
  const name = toolCallSchema.safeParse(message).data?.params.name;
  return name !== undefined && tools.has(name) ? name : null;
}

/**
 * Refuses a request addressed to another host, or sent by another site's page. A page can point its own host name at
 * this machine (DNS rebinding) and then reads the answers as its own; `Host` and `Origin` give it away.
 * @returns why it is refused, or null. Programs send no `Origin`.
 */
function checkSender(request: Request, appUrl: string): string | null {
  const hostnames = allowedHostnames(appUrl);
  const host = validateHostHeader(request.headers.get("host"), hostnames);
  if (!host.ok)
    return `The Host header must name ${new URL(appUrl).host}. Set APP_URL to the public address.`;
  const origin = validateOriginHeader(request.headers.get("origin"), hostnames);
  return origin.ok ? null : "Pages of other origins may not call this address.";
}

/** On a developer's machine any name of that machine; elsewhere only the public one. */
function allowedHostnames(appUrl: string): string[] {
  const { hostname } = new URL(appUrl);
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
}

/**
 * Writes the outcome of a message to the audit log before its answer leaves. A tool that was reached has written its
 * own entry, with its action, in the transaction of its change.
 */
async function recordOutcome(call: McpCall, method: string, { response, text }: Answer): Promise<Response> {
  const error = errorOf(text);
  if (method !== TOOL_CALL || error !== null) {
    const line = { method: "POST", path: auditPath(method), action: null };
    const { audit } = call.services;
    const entry = auditEntry(call.context, line, error);
    await (call.overLimit ? audit.writeAboveLimit(entry) : audit.write(entry));
  }
  return new Response(text === "" ? null : text, response);
}

interface Answer {
  response: Response;
  text: string;
}

async function textOf(response: Response): Promise<Answer> {
  return { response, text: await response.text() };
}

/** The answer, in which a refusal of the message's params says what would be right. */
function inOurWords(message: object, { response, text }: Answer): Answer {
  const problem = findParamProblem(message);
  if (problem === null || !text.startsWith("{")) return { response, text };
  const refusal = errorSchema.safeParse(JSON.parse(text)).data;
  if (refusal?.error.code !== INVALID_PARAMS) return { response, text };
  const { headers, status } = response;
  headers.delete("content-length");
  const reworded = { ...refusal, error: { code: INVALID_PARAMS, message: problem } };
  return { response: new Response(null, { status, headers }), text: JSON.stringify(reworded) };
}

/** Null when it was answered. */
function errorOf(text: string): ErrorCode | null {
  if (!text.startsWith("{")) return null;
  const code = errorSchema.safeParse(JSON.parse(text)).data?.error.code;
  if (code === undefined) return null;
  return code === INTERNAL_ERROR ? "UNEXPECTED_ERROR" : "INVALID_PARAMETERS";
}

/** The caller: an API key, or an assistant with an access token issued for this address. Null: unknown. */
async function authenticateCaller(
  services: Services,
  request: Request,
  mcpUrl: string,
): Promise<Authentication | null> {
  const credential = bearerOf({ header: (name) => request.headers.get(name) ?? undefined });
  if (!credential) return null;
  if (isKeyText(credential)) return authenticateApiKey(services, credential);
  return authenticateAssistant(services, credential, mcpUrl);
}

/** 401 pointing the client to the authorization server (RFC 9728, section 5.1; RFC 6750, section 3). */
function challenge(request: Request, appUrl: string, requestId: string): Response {
  const hasCredential = request.headers.has("authorization");
  const parameters = [
    ...(hasCredential ? ['error="invalid_token"'] : []),
    `resource_metadata="${appUrl}/.well-known/oauth-protected-resource/mcp"`,
    `scope="${CHALLENGED_SCOPES}"`,
  ];
  const description = hasCredential
    ? "This key or access token is unknown, expired, or issued for another address. Connect again, or send an API key that is not revoked."
    : "Connect with OAuth, or send an API key in the header «Authorization: Bearer <API_KEY>».";
  return Response.json(
    { error: hasCredential ? "invalid_token" : "unauthorized", error_description: description, requestId },
    { status: 401, headers: { "WWW-Authenticate": `Bearer ${parameters.join(", ")}` } },
  );
}

/**
 * Handles one message through the SDK: revision 2026-07-28 carries everything in the message, earlier revisions begin
 * with `initialize`. Both are served without a session, so nothing is kept between requests.
 * @param message the body, parsed
 * @throws MalformedMessage
 */
async function dispatch(call: McpCall, request: Request, message: object): Promise<Response> {
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
 * The SDK answers this message itself, and would report missing fields as a server error. Revision 2026-07-28 has no
 * such method; there the SDK says so.
 */
function refuseHalfGreeting(message: object): void {
  if (methodOf(message) !== "initialize" || isInitializeRequest(message)) return;
  throw new MalformedMessage(
    INVALID_PARAMS,
    "initialize needs params with protocolVersion, capabilities and clientInfo { name, version }.",
  );
}

/** One JSON body: nothing is sent before the result, so there is nothing to stream. */
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

/** Removes the credential, which nothing behind this needs. Answers are JSON, so a client need not accept streams. */
function withoutCredential(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: request.method, headers });
}

/**
 * The one JSON-RPC message of a request. A batch, as in the March 2025 revision, would count only once against the
 * rate limit.
 * @throws AppError `PAYLOAD_TOO_LARGE`; `MalformedMessage`
 */
async function readMessage(request: Request): Promise<object> {
  const text = await readBody(request, MAXIMUM_DOCUMENT_BODY_BYTES);
  const message = parse(text);
  if (Array.isArray(message)) throw new MalformedMessage(INVALID_REQUEST, "Send one message per request.");
  if (typeof message !== "object" || message === null) {
    throw new MalformedMessage(INVALID_REQUEST, "The body must be a JSON-RPC message.");
  }
  const maximumBytes = maximumOf(message);
  if (Buffer.byteLength(text) > maximumBytes)
    throw new AppError("PAYLOAD_TOO_LARGE", `The body must be at most ${maximumBytes} bytes.`);
  return withoutNullParams(message);
}

/** Only a call that carries a document may be long. */
function maximumOf(message: object): number {
  const tool = toolOf(message);
  const operation = toolOperations.find(({ operationId }) => operationId === tool);
  return operation?.maximumBodyBytes ?? MAXIMUM_BODY_BYTES;
}

/** Null counts as absent here too (`"arguments": null`): the SDK would refuse it in words for its programmer. */
function withoutNullParams(message: object): object {
  if (!("params" in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (typeof params !== "object" || Array.isArray(params)) return message;
  return {
    ...rest,
    params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedMessage(PARSE_ERROR, "The body must be JSON in UTF-8.");
  }
}

/** The method and target of a message, safe for the audit log; empty for anything that cannot be a method. */
function methodOf(message: object): string {
  return methodSchema.safeParse(message).data?.method ?? "";
}
