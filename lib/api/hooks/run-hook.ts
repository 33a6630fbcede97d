import { z } from "zod";
import { bearerOf, readHeaders } from "@/lib/api/http/incoming-request";
import { limitRate, sayWhenUncrowded } from "@/lib/api/http/limit-rate";
import { answerRefusal, type OutgoingResponse } from "@/lib/api/http/pipeline";
import { refusalOf } from "@/lib/api/operations/request-fields";
import { type OperationServices, recordRefusal } from "@/lib/api/operations/run-operation";
import { AppError } from "@/lib/contract/error";
import { REQUESTS_PER_MINUTE } from "@/lib/contract/limits";
import { authenticateRuleHook, type HookCaller } from "@/lib/core/rules/authenticate-rule-hook";
import { type HookRequest, type HookRunResult, startHookRun } from "@/lib/core/rules/start-hook-run";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import { fingerprint } from "@/lib/core/shared/idempotency";
import { noteCaller, type RequestFacts } from "@/lib/platform/observe/request-facts";

/** The parts of a hook request in use; the body is read only once the caller is known. */
export interface IncomingHookRequest {
  /** As sent, without the query. */
  path: string;
  ruleId: string;
  query: URLSearchParams;
  header: (name: string) => string | undefined;
  /** @throws AppError `PAYLOAD_TOO_LARGE`, `INVALID_PARAMETERS` when it is not UTF-8. */
  readBody: () => Promise<string>;
  /** Filled in along the way. */
  facts: RequestFacts;
}

const OPERATION = "startRuleByHook";
const AUDIT_ACTION = "TRIGGER_RULE";
const ruleIdSchema = z.guid().toLowerCase();

/**
 * One request to a rule's hook, in the order of the API's checks: authenticate → rate limit → headers and body →
 * idempotent replay → run → audit → envelope (docs/behavior/rules.md).
 */
export async function runHook(
  services: OperationServices,
  request: IncomingHookRequest,
): Promise<OutgoingResponse> {
  const { requestId } = request.facts;
  request.facts.operation = OPERATION;
  const headers: Record<string, string> = { "X-Request-Id": requestId };
  let caller: HookCaller | null = null;
  let calledReason: string | null = null;
  try {
    caller = await authenticate(services, request);
    noteCaller(request.facts, { ...caller, actor: { kind: "HOOK", id: caller.actor.id } });
    limitRate(services, caller.requestsThisMinute, headers, "hook");
    const sentHeaders = readHeaders(request, true);
    calledReason = sentHeaders.calledReason;
    if (sentHeaders.problems.length > 0) throw refusalOf(sentHeaders.problems);
    await refuseContent(request);
    const hookRequest = toHookRequest(caller, request, requestId, sentHeaders);
    const result = await startHookRun(services, caller, hookRequest);
    return await succeed(services, caller, hookRequest, result, headers);
  } catch (error) {
    sayWhenUncrowded(error, caller, headers);
    const refused = {
      requestId,
      operationId: OPERATION,
      caller: caller && { ...caller, calledReason },
      method: "POST",
      path: request.path,
      auditAction: AUDIT_ACTION,
      isAboveLimit: caller !== null && caller.requestsThisMinute > REQUESTS_PER_MINUTE,
    };
    return answerRefusal(await recordRefusal(services, refused, error), headers);
  }
}

/** One answer for an unknown rule, a rule without a hook and a wrong secret: it must not reveal which rules exist. */
async function authenticate(
  services: OperationServices,
  request: Pick<IncomingHookRequest, "ruleId" | "header">,
): Promise<HookCaller> {
  const ruleId = ruleIdSchema.safeParse(request.ruleId).data;
  const secret = bearerOf(request);
  const caller = ruleId && secret ? await authenticateRuleHook(services, ruleId, secret) : null;
  if (caller) return caller;
  throw new AppError(
    "UNAUTHORIZED",
    "Send the secret of this rule's hook in the header «Authorization: Bearer <SECRET>».",
  );
}

/** The rule decides what it moves: a parameter meant to change that must not be ignored silently. */
async function refuseContent({ query, readBody }: IncomingHookRequest): Promise<void> {
  if (query.size > 0) throw new AppError("INVALID_PARAMETERS", "A hook takes no query parameters.");
  const text = (await readBody()).trim();
  if (text !== "" && !isEmptyObject(text)) {
    throw new AppError("INVALID_PARAMETERS", "The body must be empty or {}: the rule decides what it moves.");
  }
}

function isEmptyObject(text: string): boolean {
  try {
    return z.strictObject({}).safeParse(JSON.parse(text)).success;
  } catch {
    // Not JSON.
    return false;
  }
}

function toHookRequest(
  caller: HookCaller,
  request: IncomingHookRequest,
  requestId: string,
  sentHeaders: { calledReason: string | null; idempotencyKey: string | null },
): HookRequest {
  const { idempotencyKey: key } = sentHeaders;
  return {
    requestId,
    sent: { method: "POST", path: request.path, ...sentHeaders, body: null },
    auditAction: AUDIT_ACTION,
    // An id in capitals names the same rule: a key used twice must still match.
    idempotency:
      key === null
        ? null
        : { operation: OPERATION, path: caller.actor.id, key, fingerprint: fingerprint({}) },
  };
}

async function succeed(
  services: OperationServices,
  caller: HookCaller,
  { requestId, sent }: HookRequest,
  result: HookRunResult,
  headers: Record<string, string>,
): Promise<OutgoingResponse> {
  const { status, body } = result;
  if (result.kind === "RECORDED") return { status, headers, body };
  const { calledReason, method, path } = sent;
  const entry = { ...caller, requestId, calledReason };
  await services.audit.write(auditEntry(entry, { method, path, action: AUDIT_ACTION }, null));
  return { status, headers: { ...headers, "Idempotent-Replayed": "true" }, body };
}
