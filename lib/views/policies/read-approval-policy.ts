import type { Policy, Requirement } from "@/lib/contract/policies/policy";
import type { ApprovalPolicy } from "@/lib/contract/policies/policy-for-programs";
import { readPolicyInForce } from "@/lib/core/policies/read-policy";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** Who must approve, for a program: without the people, accounts and requesters that it names. */
export async function readApprovalPolicy(
  { pool }: Pick<Services, "pool">,
  { organizationId }: Context<CallerActor>,
): Promise<ApprovalPolicy> {
  const { version, policy } = await readPolicyInForce(pool, organizationId);
  return { version, rules: policy.rules.map(toRule), otherwise: toRequirement(policy.otherwise) };
}

function toRule({ name, when, ...requirement }: Policy["rules"][number]): ApprovalPolicy["rules"][number] {
  return {
    name,
    when: {
      kinds: when.kinds ?? null,
      payee: when.payee ?? null,
      amountOver: when.amountOver ?? null,
      window: when.window ?? null,
      onlySomeAccounts: when.sourceAccountIds !== undefined || when.destinationAccountIds !== undefined,
      requesterKinds: when.requesters?.kinds ?? null,
      onlySomeRequesters: when.requesters?.ids !== undefined,
      directions: when.directions ?? null,
    },
    ...toRequirement(requirement),
  };
}

function toRequirement({
  stages,
  requesterCounts,
  expiresAfterHours,
}: Requirement): ApprovalPolicy["otherwise"] {
  return {
    stages: stages.map(({ of, atLeast }) => ({ of: "roles" in of ? of.roles : null, atLeast })),
    requesterCounts,
    expiresAfterHours,
  };
}
