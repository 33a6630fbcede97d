import {
  type Answer,
  type BoundOperation,
  type Call,
  mayAttempt,
  type Operation,
} from "@/lib/api/operations/operation";
import { refusalDetail } from "@/lib/api/operations/refusal-detail";
import { refusalOf } from "@/lib/api/operations/request-fields";
import { withInstants } from "@/lib/api/operations/with-instants";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import type { AuditWriter } from "@/lib/core/audit/audit-writer";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { CallerActor, Context, SentRequest } from "@/lib/core/shared/context";
import { findReplay, fingerprint, type IdempotentCall } from "@/lib/core/shared/idempotency";
import { requireApiKey, requirePermission } from "@/lib/core/shared/permits";
import { type Tracing, traced } from "@/lib/platform/observe/tracing";
import type { Services } from "@/lib/platform/services";

export interface OperationServices extends Services {
  audit: AuditWriter;
  /** Unset when tracing is not configured. */
  tracing?: Tracing;
  /** The simulated providers; null or unset where any provider is real. */
  sandbox?: SandboxWorld | null;
}

/** A request that a transport has read: its caller is authenticated, counted and within the limit. */
interface OperationRequest {
  context: Context<CallerActor>;
  /** Path, query and body in one flat object, unchecked. */
  fields: Record<string, unknown>;
  sent: SentRequest;
  /** What the transport found wrong outside of the fields. */
  problems: readonly ErrorDetail[];
  /** As `Call` says. */
  gone: () => AbortSignal | null;
  /** What an idempotency key is bound to instead of the fields, which a retry would compute differently; null: the fields. */
  identity?: unknown;
}

/** The answer, and its HTTP status. */
interface OperationAnswer {
  status: number;
  /** `{ data, requestId }`; in a replay, those of the first answer. */
  body: unknown;
  isReplay: boolean;
}

/**
 * What every transport does with an operation, in the order of docs/behavior/http.md: input →
 * permission → idempotent replay → command (load, the key's lists, business rules) → audit → envelope.
 * @throws AppError a refusal; the transport records it (`recordRefusal`)
 */
export async function runOperation(
  services: OperationServices,
  operation: Operation,
  { context, fields, sent, problems, gone, identity = null }: OperationRequest,
): Promise<OperationAnswer> {
  const dated = await withInstants(services.pool, context.organizationId, operation, fields);
  const bound = bindInput(operation, dated, problems);
  if (operation.isForKeys) requireApiKey(context.actor);
  if (operation.permission && !mayAttempt(context.actor, operation)) {
    requirePermission(context.actor, operation.permission);
  }
  const asked = identity ?? withoutAbsence(bound.parsed);
  const idempotency = idempotentCall(operation, fields, asked, sent.idempotencyKey);
  const { operationId } = operation;
  const answer = await traced(services.tracing, operationId, { kind: "INTERNAL" }, () =>
    runOnce(bound, { services, context, sent, idempotency, gone, sandbox: services.sandbox ?? null }),
  );
  if (answer.kind === "RECORDED") return { status: answer.status, body: answer.body, isReplay: false };
  const { method, path } = sent;
  await services.audit.write(auditEntry(context, { method, path, action: operation.auditAction }, null));
  if (answer.kind === "REPLAYED") return { status: answer.status, body: answer.body, isReplay: true };
  const body = { data: answer.data, requestId: context.requestId };
  return { status: operation.successes[0].status, body, isReplay: false };
}

/** @throws AppError `INVALID_PARAMETERS` with everything that is wrong, so that a caller corrects it at once */
function bindInput(
  operation: Operation,
  fields: OperationRequest["fields"],
  problems: readonly ErrorDetail[],
): BoundOperation {
  const bound = operation.bind(fields);
  if ("problems" in bound) {
    throw refusalOf([...problems, ...bound.problems]);
  }
  if (problems.length > 0) throw refusalOf(problems);
  return bound;
}

/** Built from the checked ids: a rule's id in capitals or escapes must not count as another use of the key. */
function idempotentCall(
  operation: Operation,
  fields: OperationRequest["fields"],
  asked: unknown,
  key: string | null,
): IdempotentCall | null {
  if (key === null) return null;
  return {
    operation: operation.operationId,
    path: operation.path.replace(/:(\w+)/g, (_, name: string) => String(fields[name])),
    key,
    fingerprint: fingerprint(asked),
  };
}

/** `simulation: false` asks for the same as no `simulation`: a retry may come from another client of the same program. */
function withoutAbsence(parsed: unknown): unknown {
  if (typeof parsed !== "object" || parsed === null || !("simulation" in parsed)) return parsed;
  const { simulation, ...rest } = parsed;
  return simulation === false ? rest : parsed;
}

/**
 * Runs the command, which finds an earlier use of the idempotency key in the transaction that would be the second. If
 * the command rejects, look for a stored response first; it goes before the refusal. Nearly every request has a new
 * key, and is looked up only once.
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

/** Who asked for what, as far as known at the refusal. */
interface RefusedRequest {
  requestId: string;
  /** For the log. */
  operationId: string;
  /** Null for an unauthenticated caller: such requests are not in the audit log. */
  caller: Omit<Parameters<typeof auditEntry>[0], "requestId"> | null;
  method: string;
  path: string;
  auditAction: string | null;
  /** What was sent, as far as it was read. */
  fields?: Readonly<Record<string, unknown>> | null;
  /** Above the rate limit: the first of a minute gets an entry, the rest are counted. */
  isAboveLimit: boolean;
}

/**
 * Writes a refused request to the audit log (docs/behavior/records.md).
 * @returns what to answer: the refusal, or an unexpected error without its details
 */
export async function recordRefusal(
  services: Pick<Services, "log"> & { audit: AuditWriter },
  request: RefusedRequest,
  error: unknown,
): Promise<AppError> {
  const refusal = toRefusal(services, request, error);
  const { caller, requestId, method, path, auditAction } = request;
  if (!caller) return refusal;
  const line = { method, path, action: auditAction };
  const detail = refusalDetail(refusal, request.fields ?? null);
  const entry = auditEntry({ ...caller, requestId }, line, refusal.code, detail);
  try {
    await (request.isAboveLimit ? services.audit.writeAboveLimit(entry) : services.audit.write(entry));
    return refusal;
  } catch (auditError) {
    return toRefusal(services, request, auditError);
  }
}

/** An unexpected error is logged in full and answered without details. */
function toRefusal(
  services: Pick<Services, "log">,
  { requestId, operationId }: RefusedRequest,
  error: unknown,
): AppError {
  if (error instanceof AppError) return error;
  services.log.error({ err: error, requestId, operation: operationId }, "unexpected error");
  return new AppError(
    "UNEXPECTED_ERROR",
    `Something went wrong in Sluice. The request may or may not have taken effect: look it up, or retry with the same idempotency-key. Request id: ${requestId}.`,
  );
}
