import { AppError } from "@/lib/contract/error";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";
import type { TriggeredExecution } from "@/lib/contract/rules/execution";
import { gatesClosed } from "@/lib/core/keys/gates";
import type { HookCaller } from "@/lib/core/rules/authenticate-rule-hook";
import { requireActive } from "@/lib/core/rules/find-rule-to-run";
import { type RunStartOutcome, toRunItem } from "@/lib/core/rules/start-run";
import { auditEntry } from "@/lib/core/shared/audit-entry";
import type { SentRequest } from "@/lib/core/shared/context";
import {
  type IdempotentCall,
  type IdempotentOutcome,
  idempotencyExpiry,
  OUTCOME_COLUMNS,
  type Replay,
  readReplay,
} from "@/lib/core/shared/idempotency";
import { RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { approvalUrl } from "@/lib/core/transfers/read-transfers";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

export interface HookRequest {
  requestId: string;
  /** As received, for the approver and the audit log. */
  sent: SentRequest;
  auditAction: string;
  /** Null when the caller sent no idempotency key. */
  idempotency: IdempotentCall | null;
}

export type HookRunResult =
  | { kind: "RECORDED"; status: number; body: { data: TriggeredExecution; requestId: string } }
  | ({ kind: "REPLAYED" } & Replay);

interface OutcomeRow extends IdempotentOutcome {
  outcome: Exclude<RunStartOutcome, "STARTED"> | "CREATED" | "REPLAY" | "IN_PROGRESS" | "HOOK_GONE";
}

const ACCEPTED = 202;

/**
 * Runs a rule for a program that knows the secret of its hook (docs/behavior/rules.md): writes the run or its proposal, the
 * idempotency result and the audit entry in one statement; the worker carries it out.
 * @throws AppError `RULE_DEACTIVATED`, `RULE_EXECUTION_IN_PROGRESS`, `IDEMPOTENCY_KEY_MISMATCH`, `UNAUTHORIZED` if the hook
 * was changed or removed during the request; `RATE_LIMIT_EXCEEDED` while too many of its proposals wait.
 */
export async function startHookRun(
  services: Pick<Services, "pool" | "appUrl" | "wake">,
  caller: HookCaller,
  request: HookRequest,
): Promise<HookRunResult> {
  const body = { data: describe(services.appUrl, caller), requestId: request.requestId };
  const { rows } = await services.pool.query<OutcomeRow>({
    name: "start_hook_run",
    text: `select ${OUTCOME_COLUMNS} from start_hook_run($1)`,
    values: [JSON.stringify(toItem(caller, request, body))],
  });
  const row = rows[0];
  if (!row) throw new Error("start_hook_run returned no row");
  if (row.outcome === "REPLAY" && request.idempotency) {
    return { kind: "REPLAYED", ...readReplay(request.idempotency, row) };
  }
  requireCreated(row);
  services.wake(caller.approvalRequired ? SEND_NOTICES : RUN_RULES);
  return { kind: "RECORDED", status: ACCEPTED, body };
}

function describe(appUrl: string, { actor, approvalRequired, now }: HookCaller): TriggeredExecution {
  const executionId = newId(now);
  return {
    executionId,
    ruleId: actor.id,
    status: approvalRequired ? "APPROVAL_PENDING" : "IN_PROGRESS",
    executionMode: "LIVE",
    createdAt: now.toISOString(),
    reasonForApproval: null,
    approvalUrl: approvalRequired ? approvalUrl(appUrl, executionId) : null,
    ruleVersion: null,
    base: null,
    live: null,
    conditionsNotMet: null,
    transfers: null,
    checks: null,
  };
}

function toItem(
  caller: HookCaller,
  request: HookRequest,
  body: { data: TriggeredExecution; requestId: string },
) {
  const { organizationId, actor, approvalRequired, now } = caller;
  const { requestId, sent, auditAction, idempotency } = request;
  const entry = { organizationId, actor, now, requestId, calledReason: sent.calledReason };
  return {
    organizationId,
    ruleId: actor.id,
    secretHash: caller.secretHash.toString("hex"),
    now,
    run: toRunItem(body.data.executionId, {
      organizationId,
      ruleId: actor.id,
      triggerDetails: { type: "REMOTE_API" },
      incomingAmountInCents: null,
      startedBy: { kind: "HOOK", id: actor.id, name: actor.name },
      cause: null,
      approvalRequired,
      reasonForApproval: null,
      request: sent,
      now,
    }),
    idempotency: idempotency && { ...idempotency, status: ACCEPTED, body, expiresAt: idempotencyExpiry(now) },
    audit: auditEntry(entry, { method: sent.method, path: sent.path, action: auditAction }, null),
  };
}

function requireCreated({ outcome }: OutcomeRow): void {
  switch (outcome) {
    case "CREATED":
      return;
    case "IN_PROGRESS":
      throw new AppError(
        "RULE_EXECUTION_IN_PROGRESS",
        "The original request with this idempotency-key is still in flight. Retry in a moment with the same key.",
      );
    case "HOOK_GONE":
      throw new AppError(
        "UNAUTHORIZED",
        "This hook was changed during the request. Nothing moved. Try again.",
      );
    case "GATES_CLOSED":
      throw gatesClosed();
    case "TOO_MANY_WAITING":
      throw new AppError(
        "RATE_LIMIT_EXCEEDED",
        `${MAXIMUM_WAITING_PROPOSALS} runs of this hook are already waiting for approval. Retry after some are decided. Nothing was proposed and nothing moved.`,
      );
    default:
      requireActive({ isActive: outcome === "PAUSED", isPaused: true });
  }
}
