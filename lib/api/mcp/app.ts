import { limitRate } from "@/lib/api/http/limit-rate";
import { authenticateCaller, challenge } from "@/lib/api/mcp/authenticate-caller";
import { checkSender } from "@/lib/api/mcp/check-sender";
import { dispatch } from "@/lib/api/mcp/dispatch";
import { auditPath, MCP_PATH } from "@/lib/api/mcp/mcp-call";
import { answerRefusal, senderRefused } from "@/lib/api/mcp/protocol-error";
import { methodOf, readMessage } from "@/lib/api/mcp/read-message";
import { recordOutcome } from "@/lib/api/mcp/record-outcome";
import { toolOf } from "@/lib/api/mcp/tool-of";
import { recordRefusal } from "@/lib/api/operations/record-refusal";
import type { OperationServices } from "@/lib/api/operations/run-operation";
import { AppError } from "@/lib/contract/error";
import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import type { Authentication } from "@/lib/core/keys/authenticate-api-key";
import { noteNetwork } from "@/lib/core/keys/note-network";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/client-address";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import {
  newFacts,
  noteCaller,
  type RequestBindings,
  type RequestFacts,
} from "@/lib/platform/observe/request-facts";

export interface McpDoor {
  fetch: (request: Request, bindings?: RequestBindings) => Promise<Response>;
}

/** The door for agents: `/mcp`, Streamable HTTP (specification, Part 5, "MCP server"). */
export function createMcp(services: OperationServices): McpDoor {
  return {
    fetch: async (request, bindings) => {
      const facts = bindings?.facts ?? newFacts();
      const { requestId } = facts;
      facts.route = MCP_PATH;
      const headers: Record<string, string> = { "X-Request-Id": requestId, "Cache-Control": "no-store" };
      const response = await receive(services, request, facts, headers);
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    },
  };
}

/** Address and sender → authenticate → what every known caller passes through. */
async function receive(
  services: OperationServices,
  request: Request,
  facts: RequestFacts,
  headers: Record<string, string>,
): Promise<Response> {
  const foreign = checkSender(request, services.appUrl);
  if (foreign !== null) return senderRefused(403, foreign);
  if (request.method !== "POST") {
    headers.Allow = "POST";
    return senderRefused(405, "Send each message by POST: there are no sessions, and no streams to open.");
  }
  const authentication = await authenticateCaller(services, request, `${services.appUrl}${MCP_PATH}`);
  if (!authentication) return challenge(request, services.appUrl, facts.requestId);
  noteCaller(facts, authentication);
  const { organizationId, actor } = authentication;
  noteNetwork(services, { organizationId, id: actor.id }, request.headers.get(CLIENT_ADDRESS_HEADER));
  return await serve(services, authentication, request, facts, headers);
}

/** Message → rate limit → dispatch → audit, in the order of the API's checks. */
async function serve(
  services: OperationServices,
  authentication: Authentication,
  request: Request,
  facts: RequestFacts,
  headers: Record<string, string>,
): Promise<Response> {
  const { organizationId, actor, now } = authentication;
  const { requestId } = facts;
  const context: Context<CallerActor> = { organizationId, actor, now, requestId, calledReason: null };
  let method = "";
  try {
    const overLimit = countedOver(services, authentication, headers);
    const message = await readMessage(request);
    method = methodOf(message);
    facts.operation = toolOf(message) ?? method;
    // A tool's refusal is a result that its agent reads: there the call itself says that it was one too many.
    if (overLimit && method !== "tools/call") throw overLimit;
    const call = { services, context, overLimit };
    return await recordOutcome(call, method, await dispatch(call, request, message));
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

/** Why this request is one too many in its minute, or null. */
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
