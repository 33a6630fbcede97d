import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { approvalPolicySchema } from "@/lib/contract/policies/policy-for-programs";

/** Who must approve what: rule by rule, then what holds otherwise. */
export const describeApprovalPolicy = describer(approvalPolicySchema, ({ version, rules, otherwise }) =>
  [
    version === 0 ? "No policy was published; the default holds." : `Version ${version} is in force.`,
    ...rules.map((rule, at) => `${at + 1}. ${rule}.`),
    `Otherwise: ${otherwise}.`,
  ].join("\n"),
);
