import { z } from "zod";
import type { Confirmation, ConfirmationRequest, RunNowSubject } from "@/lib/contract/confirmation/decision";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { gatesClosed } from "@/lib/core/keys/gates";
import { mayNeedOthers } from "@/lib/core/policies/may-need-others";
import { type RunStartOutcome, startRun } from "@/lib/core/rules/start-run";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { requireDecider } from "@/lib/core/shared/roles";
import { RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmationOf,
  type ConfirmationMethod,
  spendConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

export const runNowSubjectSchema = z.strictObject({
  ruleId: z.uuid(),
  version: z.int().min(1),
  incomingAmountInCents: z.int().min(0).max(MAXIMUM_TRANSFER_IN_CENTS).nullable(),
  requestId: z.uuid(),
}) satisfies z.ZodType<RunNowSubject>;

const MAY_NOT = "Only an owner or co-owner may run a rule. Nothing moved.";

/** Binds a confirmation to one rule, version, amount and request. */
function runNowScope(actor: MemberActor, subject: RunNowSubject): ChallengeScope {
  const { ruleId, version, incomingAmountInCents, requestId } = subject;
  return memberScope(
    "DECIDE",
    actor,
    `RUN_RULE ${ruleId} ${version} ${incomingAmountInCents ?? "-"} ${requestId}`,
  );
}

/**
 * How this member must confirm the run, with the challenge for it.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner.
 */
export async function beginRunNow(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  context: Context<MemberActor>,
  subject: RunNowSubject,
): Promise<ConfirmationRequest> {
  if (!mayDecide(context.actor)) throw new AppError("ACCESS_DENIED", MAY_NOT);
  return beginConfirmationOf(services, context.actor, runNowScope(context.actor, subject));
}

/**
 * Runs the active version of a rule for a member, without further approval; where the policy in force may ask for the
 * signatures of others, it waits for approval. Amounts are computed when it runs and respect
 * floors, because no person has seen that plan. One request runs once, however often it is sent.
 * @returns the id of the run.
 * @throws NotConfirmed; AppError `ACCESS_DENIED`, `RULE_DEACTIVATED` for a rule that is not active or is paused,
 * `RULE_VERSION_CONFLICT` if another version has been activated.
 */
export async function runRuleNow(
  services: Services,
  context: Context<MemberActor>,
  input: RunNowSubject & { confirmation: Confirmation },
): Promise<string> {
  if (!mayDecide(context.actor)) throw new AppError("ACCESS_DENIED", MAY_NOT);
  const { confirmation, ...subject } = input;
  const before = await findRequested(services.pool, context, subject);
  if (before !== null) return before;
  // Before the transaction: a password hash is slow on purpose, and failed attempts must be counted despite a rollback.
  const scope = runNowScope(context.actor, subject);
  const verified = await verifyConfirmationOf(services, context.actor, scope, confirmation);
  const executionId = await inTransaction(services.pool, async (client) => {
    const { method } = await spendConfirmation(client, verified);
    await requireDecider(client, context, "run a rule");
    const id = newId(context.now);
    if (await claimRequest(client, context, subject, { id, method })) {
      await start(client, context, subject, id);
      return id;
    }
    const first = await findRequested(client, context, subject);
    if (first === null) throw new AppError("INVALID_PARAMETERS", "Reload the page. Nothing moved.");
    return first;
  });
  services.wake(RUN_RULES);
  services.wake(SEND_NOTICES);
  return executionId;
}

/** The run that this request already started. */
async function findRequested(
  database: Queryable,
  context: Context<MemberActor>,
  subject: RunNowSubject,
): Promise<string | null> {
  const { rows } = await database.query<{ executionId: string }>({
    name: "find_run_confirmation",
    text: `
      select execution_id as "executionId" from run_confirmations
       where organization_id = $1 and request_id = $2 and rule_id = $3 and confirmed_by = $4`,
    values: [context.organizationId, subject.requestId, subject.ruleId, context.actor.id],
  });
  return rows[0]?.executionId ?? null;
}

/** True for one of several concurrent requests with the same id; the others wait for its row. */
async function claimRequest(
  client: Queryable,
  context: Context<MemberActor>,
  subject: RunNowSubject,
  run: { id: string; method: ConfirmationMethod },
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: "insert_run_confirmation",
    text: `
      insert into run_confirmations (organization_id, request_id, rule_id, rule_version, execution_id,
          incoming_amount_in_cents, confirmed_by, method, confirmed_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        on conflict (organization_id, request_id) do nothing`,
    values: [
      context.organizationId,
      subject.requestId,
      subject.ruleId,
      subject.version,
      run.id,
      subject.incomingAmountInCents,
      context.actor.id,
      run.method,
      context.now,
    ],
  });
  return rowCount === 1;
}

const REFUSALS: Partial<Record<RunStartOutcome, string>> = {
  NOT_ACTIVE: "This rule is not active. Activate it, or try a dry run. Nothing moved.",
  PAUSED: "This rule is paused because money that it had split was returned. Resume it first. Nothing moved.",
};

async function start(
  client: Queryable,
  context: Context<MemberActor>,
  subject: RunNowSubject,
  executionId: string,
): Promise<void> {
  const { organizationId, actor, now } = context;
  const outcome = await startRun(client, executionId, {
    organizationId,
    ruleId: subject.ruleId,
    triggerDetails: { type: "MANUAL", amountInCents: subject.incomingAmountInCents },
    incomingAmountInCents: subject.incomingAmountInCents,
    startedBy: { kind: "MEMBER", id: actor.id, name: actor.name },
    cause: null,
    approvalRequired: await mayNeedOthers(client, context),
    reasonForApproval: null,
    request: null,
    now,
  });
  if (outcome === "GATES_CLOSED") throw gatesClosed();
  const refusal = REFUSALS[outcome];
  if (refusal) throw new AppError("RULE_DEACTIVATED", refusal);
  if (outcome !== "STARTED") throw new Error(`start_rule_run returned ${outcome} for a member`);
  await requireVersion(client, organizationId, executionId, subject.version);
}

/** The run has locked the rule's row, so the active version cannot change before the commit. */
async function requireVersion(
  client: Queryable,
  organizationId: string,
  executionId: string,
  version: number,
): Promise<void> {
  const { rows } = await client.query<{ ruleVersion: number }>({
    name: "read_version_of_run",
    text: `select rule_version as "ruleVersion" from rule_executions where organization_id = $1 and id = $2`,
    values: [organizationId, executionId],
  });
  if (rows[0]?.ruleVersion === version) return;
  throw new AppError(
    "RULE_VERSION_CONFLICT",
    "Another version of this rule was activated in the meantime. Reload the page to see what it would do. Nothing moved.",
  );
}
