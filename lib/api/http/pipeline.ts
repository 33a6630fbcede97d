import { bearerOf, type IncomingRequest, readHeaders, readInput } from "@/lib/api/http/incoming-request";
import { limitRate, sayWhenUncrowded } from "@/lib/api/http/limit-rate";
import { CLOSES_CONNECTION } from "@/lib/api/http/read-body";
import type { Operation } from "@/lib/api/operations/operation";
import { type OperationServices, recordRefusal, runOperation } from "@/lib/api/operations/run-operation";
import { AppError, BEARER_CHALLENGE, ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";
import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { noteNetwork } from "@/lib/core/keys/note-network";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { CLIENT_ADDRESS_HEADER } from "@/lib/core/shared/network";
import { noteCaller } from "@/lib/platform/observe/request-facts";
import type { Services } from "@/lib/platform/services";

export interface OutgoingResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/**
 * One request through the API, as a list of steps in the order of docs/behavior/http.md:
 * (route, before this) → authenticate → rate limit → headers and input → what every transport does (`runOperation`) →
 * response.
 */
export async function runPipeline(
  services: OperationServices,
  operation: Operation,
  request: IncomingRequest,
): Promise<OutgoingResponse> {
  const { requestId } = request.facts;
  request.facts.operation = operation.operationId;
  const headers: Record<string, string> = { "X-Request-Id": requestId };
  const { method, path } = request;
  let context: Context<CallerActor> | null = null;
  let isAboveLimit = false;
  let sentFields: Record<string, unknown> | null = null;
  try {
    const { context: authenticated, requestsThisMinute } = await authenticate(services, request, requestId);
    context = authenticated;
    noteCaller(request.facts, context);
    isAboveLimit = requestsThisMinute > REQUESTS_PER_MINUTE;
    limitRate(services, requestsThisMinute, headers);
    const { calledReason, idempotencyKey, problems } = readHeaders(request, operation.isIdempotent);
    context = { ...context, calledReason };
    const { fields, body, problems: misplaced } = await readInput(operation, request);
    sentFields = fields;
    const sent = { method, path, idempotencyKey, calledReason, body };
    const asked = { context, fields, sent, problems: [...problems, ...misplaced], gone: request.gone };
    const answer = await runOperation(services, operation, asked);
    if (answer.isReplay) headers["Idempotent-Replayed"] = "true";
    return { status: answer.status, headers, body: answer.body };
  } catch (error) {
    sayWhenUncrowded(error, context, headers);
    const { operationId, auditAction } = operation;
    const refused = {
      requestId,
      operationId,
      caller: context,
      method,
      path,
      auditAction,
      fields: sentFields,
      isAboveLimit,
    };
    return answerRefusal(await recordRefusal(services, refused, error), headers);
  }
}

async function authenticate(services: Services, request: IncomingRequest, requestId: string) {
  const keyText = bearerOf(request);
  const authentication = keyText ? await authenticateApiKey(services, keyText) : null;
  if (!authentication) {
    throw new AppError(
      "UNAUTHORIZED",
      "Send an API key that is not revoked in the header «Authorization: Bearer <API_KEY>».",
    );
  }
  const { organizationId, actor, now } = authentication;
  noteNetwork(services, { organizationId, id: actor.id }, request.header(CLIENT_ADDRESS_HEADER) ?? null);
  const context: Context<CallerActor> = { organizationId, actor, now, requestId, calledReason: null };
  return { context, requestsThisMinute: authentication.requestsThisMinute };
}

/** Of the original request with the same idempotency key, which commits or fails within milliseconds. */
const IN_FLIGHT: readonly ErrorCode[] = ["TRANSFER_IN_PROGRESS", "RULE_EXECUTION_IN_PROGRESS"];
const IN_FLIGHT_RETRY_SECONDS = 1;

/**
 * The envelope of an error (specification, Part 7).
 * @param challenge how to authenticate, for a 401
 */
export function answerRefusal(
  refusal: AppError,
  headers: Record<string, string>,
  challenge = BEARER_CHALLENGE,
): OutgoingResponse {
  const { code, message, details } = refusal;
  return {
    status: ERROR_STATUS[code],
    headers: {
      ...headers,
      ...(code === "PAYLOAD_TOO_LARGE" && CLOSES_CONNECTION),
      ...(IN_FLIGHT.includes(code) && { "Retry-After": String(IN_FLIGHT_RETRY_SECONDS) }),
      ...(code === "UNAUTHORIZED" && { "WWW-Authenticate": challenge }),
    },
    body: { error: { code, message, ...(details.length > 0 && { details }) } },
  };
}
