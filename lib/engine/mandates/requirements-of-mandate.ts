import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { MandateTerms } from "@/lib/contract/mandates/mandate";
import type { Policy, PolicyRule, PolicyWhen, Requirement } from "@/lib/contract/policies/policy";
import type { TransferDirection } from "@/lib/contract/transfer";

/** A way that the money of a mandate can take. */
export interface MandateRoute {
  sourceAccountId: string;
  destinationAccountId: string;
  direction: TransferDirection;
  /** Whether its next transfer is the first, or the first since the payee changed. */
  novelty: "NEW" | "CHANGED" | null;
}

interface MandateReach {
  /** Of its key, and of the keys that this one replaced. */
  apiKeyIds: readonly string[];
  terms: Pick<MandateTerms, "minimumInCents" | "maximumInCents">;
  routes: readonly MandateRoute[];
}

/** What a policy asks for any transfer inside a mandate. */
export interface MandateRequirement {
  /** Null: no rule may match. */
  ruleName: string | null;
  requirement: Requirement;
}

/**
 * The requirements of every rule that may match a transfer inside, each once: all must be met, so that a mandate lets nothing
 * through that would have needed a signature it lacks. What depends on the past or future (windows, a payee's first payment)
 * counts as possible (issue "Approvals that scale with trust", "Decided").
 */
export function requirementsOfMandate(policy: Policy, reach: MandateReach): MandateRequirement[] {
  const found = new Set<PolicyRule | null>();
  for (const route of reach.routes) {
    for (const rule of rulesOn(policy, reach, route)) found.add(rule);
  }
  return [...found].map((rule) => {
    if (!rule) return { ruleName: null, requirement: policy.otherwise };
    const { name, when: _when, ...requirement } = rule;
    return { ruleName: name, requirement };
  });
}

/** The rules that may be the first to match on this route; null: what the policy says otherwise. */
function rulesOn(policy: Policy, reach: MandateReach, route: MandateRoute): (PolicyRule | null)[] {
  const possible: PolicyRule[] = [];
  for (const rule of policy.rules) {
    if (!mayMatch(rule.when, reach, route)) continue;
    possible.push(rule);
    if (alwaysMatches(rule.when, reach)) return possible;
  }
  return [...possible, null];
}

function mayMatch(when: PolicyWhen, { apiKeyIds, terms }: MandateReach, route: MandateRoute): boolean {
  const { requesters, amountOver, window } = when;
  return (
    (when.kinds?.includes("TRANSFER") ?? true) &&
    (when.sourceAccountIds?.includes(route.sourceAccountId) ?? true) &&
    (when.destinationAccountIds?.includes(route.destinationAccountId) ?? true) &&
    (when.directions?.includes(route.direction) ?? true) &&
    (requesters?.kinds?.includes("API_KEY") ?? true) &&
    (requesters?.ids?.some((id) => apiKeyIds.includes(id)) ?? true) &&
    (when.payee === undefined || (route.novelty !== null && when.payee.includes(route.novelty))) &&
    (amountOver === undefined || window !== undefined || terms.maximumInCents > amountOver)
  );
}

/** Of a rule that may match: whether it matches every transfer, so that no later rule does. */
function alwaysMatches({ payee, amountOver, window }: PolicyWhen, { terms }: MandateReach): boolean {
  if (payee !== undefined) return false;
  if (amountOver === undefined) return true;
  return window === undefined && (terms.minimumInCents ?? MINIMUM_TRANSFER_IN_CENTS) > amountOver;
}
