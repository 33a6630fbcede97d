import { ruleHref } from "@/lib/contract/rule-hrefs";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { CheckView, RuleProblem, RunProblem } from "@/lib/contract/views/approval-view";
import { approvableMoves } from "@/lib/core/approvals/approvable-moves";
import type { RunApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { assistantMayAsk } from "@/lib/core/approvals/check-assistant";
import { aboveDailyCap } from "@/lib/core/approvals/check-cap";
import { covers, permissionIn } from "@/lib/core/shared/permits";

/** The checks of a proposed run, in their order. Pure. */
export function checkRun(facts: RunApprovalFacts): CheckView[] {
  return [
    aboveDailyCap(facts),
    keyMayRun(facts),
    assistantMayAsk(facts),
    ruleRuns(facts),
    money(facts),
    floors(facts),
    notRunTwice(facts),
    newerVersion(facts),
  ].filter((check) => check !== null);
}

function keyMayRun({ key, rule, proposedBy, aboveCap }: RunApprovalFacts): CheckView | null {
  // What a cap holds ran because the key was asked already, or by money that arrived and no key asked for the run.
  if (!key || proposedBy.kind === "ASSISTANT" || aboveCap) return null;
  const rules = permissionIn(key.permissions, "TRIGGER_RULES")?.rules ?? [];
  const isAllowed = covers(rules, rule.id);
  return {
    kind: "KEY_MAY_RUN",
    outcome: isAllowed ? "CLEAR" : "LOOK",
    keyName: proposedBy.name,
    ruleName: rule.name,
    ruleCount: rules === "ALL" ? null : rules.length,
    isAllowed,
  };
}

function ruleRuns(facts: RunApprovalFacts): CheckView {
  const problem = ruleProblem(facts);
  return {
    kind: "RULE_RUNS",
    outcome: problem === null ? "CLEAR" : "BLOCKS",
    problem,
    version: facts.version,
    activeVersion: facts.rule.activeVersion,
  };
}

function ruleProblem({ rule, version, definition }: RunApprovalFacts): RuleProblem | null {
  if (rule.isDeleted) return "DELETED";
  if (definition === null) return "UNREADABLE";
  if (rule.activeVersion === null) return "DEACTIVATED";
  if (rule.activeVersion !== version) return "OTHER_VERSION";
  return rule.isPaused ? "PAUSED" : null;
}

function money(facts: RunApprovalFacts): CheckView | null {
  if (facts.definition === null) return null;
  const problem = runProblem(facts);
  return {
    kind: "RUN_MONEY",
    outcome: problem === null ? "CLEAR" : "BLOCKS",
    sources: takenFrom(facts).map(({ account, takesInCents }) => ({
      accountName: account.name,
      availableInCents: account.availableInCents,
      takesInCents,
    })),
    problem,
  };
}

function runProblem({ missing, plan, accounts }: RunApprovalFacts): RunProblem | null {
  if (missing) {
    const accountName = missing.accountId === null ? null : (accounts[missing.accountId]?.name ?? null);
    return { kind: "UNKNOWN", fact: missing.fact, accountName };
  }
  for (const move of plan?.moves ?? []) {
    if (move.outcome !== "FAILED") continue;
    return {
      kind: "FAILS",
      code: move.errorCode ?? "INSUFFICIENT_FUNDS",
      sourceName: accounts[move.sourceAccountId]?.name ?? "",
      destinationName: accounts[move.destinationAccountId]?.name ?? "",
      amountInCents: move.amountInCents,
    };
  }
  return null;
}

/** What the plan takes of each account, in the order in which it takes. */
function takenFrom({ plan, accounts }: Pick<RunApprovalFacts, "plan" | "accounts">) {
  const taken = new Map<string, number>();
  for (const move of plan?.moves ?? []) {
    if (move.outcome !== "MOVE") continue;
    taken.set(move.sourceAccountId, (taken.get(move.sourceAccountId) ?? 0) + move.amountInCents);
  }
  return [...taken].flatMap(([id, takesInCents]): { account: AccountFacts; takesInCents: number }[] => {
    const account = accounts[id];
    return account ? [{ account, takesInCents }] : [];
  });
}

/** A human may go below a floor, and is shown that it happens. Of what nobody can approve there is nothing to show. */
function floors(facts: RunApprovalFacts): CheckView | null {
  if (approvableMoves(facts.plan) === null) return null;
  const accounts = takenFrom(facts).flatMap(({ account, takesInCents }) => {
    const { name, floorInCents, availableInCents } = account;
    if (floorInCents === null || availableInCents === null) return [];
    return [{ accountName: name, floorInCents, afterInCents: availableInCents - takesInCents }];
  });
  if (accounts.length === 0) return null;
  const isBelow = accounts.some(({ afterInCents, floorInCents }) => afterInCents < floorInCents);
  return { kind: "RUN_FLOORS", outcome: isBelow ? "LOOK" : "CLEAR", accounts };
}

function notRunTwice({ otherRuns }: RunApprovalFacts): CheckView {
  return {
    kind: "NOT_RUN_TWICE",
    outcome: otherRuns.latelyCount > 0 ? "LOOK" : "CLEAR",
    runCount: otherRuns.latelyCount,
    lastAt: otherRuns.lastAt?.toISOString() ?? null,
  };
}

function newerVersion({ rule, version }: RunApprovalFacts): CheckView | null {
  if (rule.isDeleted || rule.latestVersion <= version || rule.activeVersion !== version) return null;
  return {
    kind: "NEWER_VERSION",
    outcome: "LOOK",
    version,
    latestVersion: rule.latestVersion,
    ruleHref: ruleHref(rule.id),
  };
}
