import { AppError } from "@/lib/contract/error";
import type { RuleExecution } from "@/lib/contract/rules/execution";
import type { Transfer } from "@/lib/contract/transfer";
import { getRuleExecution } from "@/lib/core/rules/read-executions";
import type { CallerActor, Context, SentRequest } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { DELIVER_EVENTS, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import { getTransfer } from "@/lib/core/transfers/read-transfers";
import type { Queryable } from "@/lib/db/transaction";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";

/** What `cancel_own_transfer` and `cancel_own_run` answer. */
type Outcome =
  | "CANCELED"
  | "ALREADY"
  | "MISSING"
  | "OTHERS"
  | "DENIED"
  | "EXPIRED"
  | "REVOKED"
  | "RULE_CHANGED"
  | "FAIL"
  | "ASK"
  | "AWAIT"
  | "COMPLETE"
  | "EXECUTED"
  | "PARTIAL"
  | "FAILED"
  | "CANCELLED"
  | "RETURNED";

/** Null: it is canceled, now or by an earlier call of the same caller. */
const TOO_LATE: Record<Exclude<Outcome, "MISSING" | "OTHERS">, string | null> = {
  CANCELED: null,
  ALREADY: null,
  DENIED: "A person has denied it. Nothing moves.",
  EXPIRED: "It expired without a decision. Nothing moves.",
  REVOKED: "It ended with the access of its key. Nothing moves.",
  RULE_CHANGED: "It ended with its version of the rule. Nothing moves.",
  FAIL: "It is failing already. Nothing moves.",
  ASK: "The bank has it, so it can no longer be canceled.",
  AWAIT: "The bank has it, so it can no longer be canceled.",
  COMPLETE: "It has settled, so it can no longer be canceled.",
  EXECUTED: "It has ended, so it can no longer be canceled.",
  PARTIAL: "It has ended, so it can no longer be canceled.",
  FAILED: "It has failed already. Nothing more moves.",
  CANCELLED: "Someone else has canceled it already. Nothing moves.",
  RETURNED: "It has settled, so it can no longer be canceled.",
};

interface CancelRequest {
  /** As received, for the audit log. */
  sent: SentRequest;
}

/**
 * Cancels a transfer that the caller requested itself, while it waits or has not left (docs/behavior/transfers.md).
 * Repeating it answers the same.
 * @throws AppError `TRANSFER_NOT_FOUND`, `ACCESS_DENIED` for another's, `TOO_LATE_TO_CANCEL`, `UNAUTHORIZED` if the key
 * was revoked during the request.
 */
export async function cancelOwnTransfer(
  services: Services,
  context: Context<CallerActor>,
  { transferId, sent }: CancelRequest & { transferId: string },
): Promise<WriteResult> {
  requirePermission(context.actor, "MANUAL_TRANSFER");
  return write(services, context, sent, async (client): Promise<Transfer> => {
    const { organizationId, actor, now } = context;
    const outcome = await ask(client, "cancel_own_transfer", [organizationId, transferId, actor.id, now]);
    if (outcome === "MISSING") {
      throw new AppError("TRANSFER_NOT_FOUND", `There is no transfer ${transferId}.`);
    }
    requireCanceled(outcome, "transfer");
    return getTransfer({ pool: client, appUrl: services.appUrl }, context, transferId);
  });
}

/**
 * Cancels a run that the caller started itself: while it waits, before it has begun, or those of its transfers that have
 * not left (docs/behavior/rules.md). Repeating it answers the same.
 * @throws AppError `RULE_NOT_FOUND`, `RULE_EXECUTION_NOT_FOUND`, `ACCESS_DENIED` for another's, `TOO_LATE_TO_CANCEL`, `UNAUTHORIZED` if the
 * key was revoked during the request.
 */
export async function cancelOwnRun(
  services: Services,
  context: Context<CallerActor>,
  { ruleId, executionId, sent }: CancelRequest & { ruleId: string; executionId: string },
): Promise<WriteResult> {
  requirePermission(context.actor, "TRIGGER_RULES");
  return write(services, context, sent, async (client): Promise<RuleExecution> => {
    const { organizationId, actor, now } = context;
    const outcome = await ask(client, "cancel_own_run", [organizationId, ruleId, executionId, actor.id, now]);
    if (outcome === "MISSING") throw await whatIsMissing(client, context, ruleId, executionId);
    requireCanceled(outcome, "run");
    return getRuleExecution({ pool: client, appUrl: services.appUrl }, context, { ruleId, executionId });
  });
}

async function whatIsMissing(
  client: Queryable,
  { organizationId }: Context,
  ruleId: string,
  executionId: string,
): Promise<AppError> {
  const { rowCount } = await client.query({
    name: "rule_exists",
    text: "select from rules where organization_id = $1 and id = $2 and deleted_at is null",
    values: [organizationId, ruleId],
  });
  return rowCount === 0
    ? new AppError("RULE_NOT_FOUND", `There is no rule ${ruleId}.`)
    : new AppError("RULE_EXECUTION_NOT_FOUND", `The rule ${ruleId} has no execution ${executionId}.`);
}

async function write(
  services: Services,
  context: Context<CallerActor>,
  sent: SentRequest,
  work: (client: Queryable) => Promise<unknown>,
): Promise<WriteResult> {
  const request = { sent, auditAction: null, status: 200, idempotency: null };
  const result = await writeOnce(services, context, request, work);
  incrementCounter("transfers", "WITHDRAWN");
  services.wake(SEND_NOTICES);
  services.wake(DELIVER_EVENTS);
  return result;
}

async function ask(
  client: Queryable,
  name: "cancel_own_transfer" | "cancel_own_run",
  values: unknown[],
): Promise<Outcome> {
  const places = values.map((_, index) => `$${index + 1}`).join(", ");
  const { rows } = await client.query<{ outcome: Outcome }>({
    name,
    text: `select ${name}(${places}) as outcome`,
    values,
  });
  if (!rows[0]) throw new Error(`${name} answered nothing`);
  return rows[0].outcome;
}

/** @throws AppError */
function requireCanceled(outcome: Exclude<Outcome, "MISSING">, what: "transfer" | "run"): void {
  if (outcome === "OTHERS") {
    throw new AppError(
      "ACCESS_DENIED",
      `This key did not request this ${what}. A program cancels only what it requested itself.`,
    );
  }
  const why = TOO_LATE[outcome];
  if (why !== null) throw new AppError("TOO_LATE_TO_CANCEL", `This ${what} was not canceled. ${why}`);
}
