import type { SentRequest } from "@/lib/contract/api-request";
import { AppError, ERROR_STATUS } from "@/lib/contract/error";
import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import { auditEntry } from "@/lib/core/audit/audit-entry";
import type { AuditWriter } from "@/lib/core/audit/audit-writer";
import type { ApiKeyActor, Context } from "@/lib/core/context";
import { findReplay, fingerprint, type IdempotentCall } from "@/lib/core/idempotency";
import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import { requirePermission } from "@/lib/core/keys/permits";
import { readHeaders } from "@/lib/doors/http/read-headers";
import { type RawInput, readInput } from "@/lib/doors/http/read-input";
import type { Answer, BoundOperation, Call, Operation } from "@/lib/doors/operations/operation";
import { newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** The parts of an HTTP request that the pipeline looks at; the body is read only once the caller is known. */
export interface IncomingRequest {
  method: string;
  /** As sent, without the query. */
  path: string;
  pathParameters: Record<string, string>;
  query: URLSearchParams;
  header: (name: string) => string | undefined;
  /** @throws AppError `PAYLOAD_TOO_LARGE`, `INVALID_PARAMETERS` when it is not JSON. */
  readBody: () => Promise<unknown>;
}

export interface OutgoingResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface PipelineServices extends Services {
  audit: AuditWriter;
}

/**
 * One request through the API, as a list of steps in the order of the decisions page ("order of checks"):
 * (route, before this) → authenticate → rate limit → headers and input → permission → idempotent replay → verb
 * (load, the key's lists, business rules) → audit → envelope.
 */
export async function runPipeline(
  services: PipelineServices,
  operation: Operation,
  request: IncomingRequest,
): Promise<OutgoingResponse> {
  const requestId = newRequestId();
  const headers: Record<string, string> = { "X-Request-Id": requestId };
  let context: Context<ApiKeyActor> | null = null;
  try {
    const { context: authenticated, requestsThisMinute } = await authenticate(services, request, requestId);
    context = authenticated;
    limitRate(services, requestsThisMinute, headers);
    const { calledReason, idempotencyKey } = readHeaders(request, operation.isIdempotent);
    context = { ...context, calledReason };
    const { fields, body } = await readInput(operation, request);
    const bound = bindInput(operation, fields);
    if (operation.permission) requirePermission(context.actor, operation.permission);
    const idempotency = idempotentCall(operation, fields, bound, idempotencyKey);
    const sent: SentRequest = {
      method: request.method,
      path: request.path,
      idempotencyKey,
      calledReason,
      body,
    };
    const answer = await runOnce(bound, { services, context, sent, idempotency });
    return await succeed(services, operation, request, context, answer, headers);
  } catch (error) {
    return await fail(services, operation, request, context, error, headers, requestId);
  }
}

/** The text behind `Bearer` in the header `Authorization`. */
export function bearerOf(request: Pick<IncomingRequest, "header">): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,200})$/i.exec(request.header("authorization") ?? "")?.[1];
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
  const context: Context<ApiKeyActor> = { organizationId, actor, now, requestId, calledReason: null };
  return { context, requestsThisMinute: authentication.requestsThisMinute };
}

/** Fixed clock minutes of real time, per key or hook, counted in the database (specification, Part 8). */
export function limitRate(
  services: Pick<Services, "clock">,
  requestsThisMinute: number,
  headers: Record<string, string>,
  caller: "key" | "hook" = "key",
): void {
  const secondsLeft = 60 - services.clock.now().getUTCSeconds();
  const remaining = Math.max(0, REQUESTS_PER_MINUTE - requestsThisMinute);
  headers["RateLimit-Policy"] = `"per-${caller}";q=${REQUESTS_PER_MINUTE};w=60`;
  headers.RateLimit = `"per-${caller}";r=${remaining};t=${secondsLeft}`;
  if (requestsThisMinute <= REQUESTS_PER_MINUTE) return;
  headers["Retry-After"] = String(secondsLeft);
  throw new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many requests with this ${caller}. Try again in ${secondsLeft} seconds.`,
  );
}

function bindInput(operation: Operation, fields: RawInput["fields"]): BoundOperation {
  const bound = operation.bind(fields);
  if ("problems" in bound) {
    const first = bound.problems[0];
    const message = first
      ? [first.field, first.message].filter(Boolean).join(": ")
      : "The request is not valid";
    throw new AppError("INVALID_PARAMETERS", `${message}.`, bound.problems);
  }
  return bound;
}

/** The path is spelled out of its checked ids: one rule in capitals or escapes is no second use of its key. */
function idempotentCall(
  operation: Operation,
  fields: RawInput["fields"],
  bound: BoundOperation,
  key: string | null,
): IdempotentCall | null {
  if (key === null) return null;
  return {
    operation: operation.operationId,
    path: operation.path.replace(/:(\w+)/g, (_, name: string) => String(fields[name])),
    key,
    fingerprint: fingerprint(bound.parsed),
  };
}

/**
 * Runs the verb, which itself finds an earlier use of the idempotency key in the transaction that would be the second.
 * A verb that refuses came not so far: only then is the earlier answer looked up, and goes before the refusal. Nearly
 * every request has a new key, and asks nothing twice.
 */
async function runOnce(bound: BoundOperation, call: Call): Promise<Answer> {
  try {
    return await bound.run(call);
  } catch (refusal) {
    if (!(refusal instanceof AppError) || !call.idempotency) throw refusal;
    const replay = await findReplay(call.services.pool, call.context, call.idempotency);
    if (!replay) throw refusal;
    return { kind: "REPLAYED", ...replay };
  }
}

async function succeed(
  services: PipelineServices,
  operation: Operation,
  request: IncomingRequest,
  context: Context<ApiKeyActor>,
  answer: Answer,
  headers: Record<string, string>,
): Promise<OutgoingResponse> {
  if (answer.kind === "RECORDED") return { status: answer.status, headers, body: answer.body };
  await services.audit.write(
    auditEntry(context, { method: request.method, path: request.path, action: operation.auditAction }, null),
  );
  if (answer.kind === "REPLAYED") {
    return {
      status: answer.status,
      headers: { ...headers, "Idempotent-Replayed": "true" },
      body: answer.body,
    };
  }
  return {
    status: operation.successes[0].status,
    headers,
    body: { data: answer.data, requestId: context.requestId },
  };
}

async function fail(
  services: PipelineServices,
  operation: Operation,
  request: IncomingRequest,
  context: Context<ApiKeyActor> | null,
  error: unknown,
  headers: Record<string, string>,
  requestId: string,
): Promise<OutgoingResponse> {
  let refusal = toRefusal(services, error, requestId, operation);
  if (context) {
    const entry = auditEntry(
      context,
      { method: request.method, path: request.path, action: operation.auditAction },
      refusal.code,
    );
    try {
      await services.audit.write(entry);
    } catch (auditError) {
      refusal = toRefusal(services, auditError, requestId, operation);
    }
  }
  const { code, message, details } = refusal;
  return {
    status: ERROR_STATUS[code],
    headers,
    body: { error: { code, message, ...(details.length > 0 && { details }) } },
  };
}

/** A fault of ours is logged whole and told without its insides. */
export function toRefusal(
  services: Pick<Services, "log">,
  error: unknown,
  requestId: string,
  operation: Pick<Operation, "operationId">,
): AppError {
  if (error instanceof AppError) return error;
  services.log.error({ err: error, requestId, operation: operation.operationId }, "unexpected error");
  return new AppError(
    "UNEXPECTED_ERROR",
    `Something broke on our side. We do not know whether the request took effect: look it up, or retry with the same idempotency-key. Quote request ${requestId}.`,
  );
}
