import type { ApprovalPolicy } from "@/lib/contract/policies/policy-for-programs";
import { readPolicyInForce } from "@/lib/core/policies/read-policy";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import { requirementForPrograms, ruleForPrograms } from "@/lib/words/policies/policy-for-programs";

/** Who must approve, for a program. Version 0: none was published, the default holds. */
export async function readApprovalPolicy(
  { pool }: Pick<Services, "pool">,
  { organizationId }: Context<CallerActor>,
): Promise<ApprovalPolicy> {
  const { version, policy } = await readPolicyInForce(pool, organizationId);
  return {
    version,
    rules: policy.rules.map(ruleForPrograms),
    otherwise: requirementForPrograms(policy.otherwise),
  };
}
