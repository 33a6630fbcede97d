import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { counted, quote } from "@/lib/api/mcp/describe/text";
import { formatCents } from "@/lib/contract/format-cents";
import { type ApprovalPolicy, approvalPolicySchema } from "@/lib/contract/policies/policy-for-programs";

/** Who must approve what: rule by rule, then what holds otherwise. */
export const describeApprovalPolicy = describer(approvalPolicySchema, ({ version, rules, otherwise }) =>
  [
    version === 0 ? "No policy was published; the default holds." : `Version ${version} is in force.`,
    ...rules.map(
      (rule, at) =>
        `${at + 1}. ${quote(rule.name)}: ${describeWhen(rule.when)}: ${describeRequirement(rule)}`,
    ),
    `Otherwise: ${describeRequirement(otherwise)}`,
  ].join("\n"),
);

function describeWhen({ window, ...when }: ApprovalPolicy["rules"][number]["when"]): string {
  const parts = [
    when.kinds?.join(" or "),
    when.requesterKinds && `asked by ${when.requesterKinds.join(" or ")}`,
    when.onlySomeRequesters ? "asked by some requesters" : null,
    when.directions?.join(" or "),
    when.payee && `to a payee that is ${when.payee.join(" or ")}`,
    when.onlySomeAccounts ? "between some accounts" : null,
    when.amountOver === null ? null : `more than ${formatCents(when.amountOver)}`,
    window && `within ${counted(window.days, "day")} per ${window.by.join(" and ")}`,
  ];
  return parts.filter(Boolean).join(", ");
}

function describeRequirement({
  stages,
  requesterCounts,
  expiresAfterHours,
}: ApprovalPolicy["otherwise"]): string {
  const signers = stages.map(
    ({ of, atLeast }) => `${atLeast} of ${of === null ? "the people that it names" : of.join(" and ")}`,
  );
  return `${signers.join(", then ")}, ${requesterCounts ? "the requester counts" : "the requester does not count"}, within ${counted(expiresAfterHours, "hour")}.`;
}
