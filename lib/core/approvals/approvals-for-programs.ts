import type { Approvals } from "@/lib/contract/approvals/signatures";
import type { RuleExecution } from "@/lib/contract/rules/execution";
import { readApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { readSignatures } from "@/lib/core/approvals/proposal-policy";
import { type Signing, signingOf } from "@/lib/core/approvals/signing";
import { requiredStages } from "@/lib/core/policies/match-proposal";
import { getRuleExecution } from "@/lib/core/rules/read-executions";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Whose signatures a proposal needs and has, without names; null without a policy. */
export function approvalsOf(signing: Signing | null, expiresAt: Date): Approvals | null {
  if (!signing) return null;
  return {
    required: requiredStages(
      signing.policy.asks,
      (index, stage) => signing.progress.requirements[index]?.stages[stage]?.memberIds.length ?? 0,
    ),
    given: signing.valid.map(({ at }) => ({ signedAt: at.toISOString() })),
    expiresAt: expiresAt.toISOString(),
  };
}

/** Of a proposal that no longer waits: only one that was signed had to be. */
export async function readApprovals(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  proposalId: string,
): Promise<Approvals | null> {
  const signatures = await readSignatures(database, organizationId, proposalId);
  if (signatures.length === 0) return null;
  const facts = await readApprovalFacts(database, organizationId, proposalId, now);
  return facts && approvalsOf(signingOf(facts), facts.expiresAt);
}

/**
 * `getRuleExecution`, with the signatures of one that waits or waited.
 * @throws AppError as `getRuleExecution`
 */
export async function getExecutionWithApprovals(
  services: Pick<Services, "appUrl"> & { pool: Queryable },
  context: Context<CallerActor>,
  input: { ruleId: string; executionId: string },
): Promise<RuleExecution> {
  const execution = await getRuleExecution(services, context, input);
  if (execution.status !== "APPROVAL_PENDING" && execution.decision === null) return execution;
  const { organizationId, now } = context;
  const { executionId } = input;
  if (execution.status !== "APPROVAL_PENDING") {
    return { ...execution, approvals: await readApprovals(services.pool, context, executionId) };
  }
  const facts = await readApprovalFacts(services.pool, organizationId, executionId, now);
  return { ...execution, approvals: facts && approvalsOf(signingOf(facts), facts.expiresAt) };
}
