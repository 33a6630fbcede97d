import { formatShortDay } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { CheckView, RuleProblem, RunProblem } from "@/lib/contract/views/approval-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** A check in words: what holds, the numbers behind it, and the short result at the right. */
export interface CheckSentence {
  title: string;
  /** Set in mono before the text. */
  keyName: string | null;
  text: string;
  result: string;
  /** Where what it speaks of can be seen. */
  link?: { href: string; label: string };
}

type RunCheck = Extract<
  CheckView,
  { kind: "KEY_MAY_RUN" | "RUN_MONEY" | "RUN_FLOORS" | "NOT_RUN_TWICE" | "RULE_RUNS" | "NEWER_VERSION" }
>;
type CheckOf<Kind extends RunCheck["kind"]> = Extract<RunCheck, { kind: Kind }>;

/** One check of a run in words. Numbers, not adjectives (design, section 1.6). */
export function runCheckSentence(check: RunCheck, time: TimeContext): CheckSentence {
  switch (check.kind) {
    case "KEY_MAY_RUN":
      return keyMayRun(check);
    case "RUN_MONEY":
      return check.problem ? inTheWay(check.problem) : moneyIsThere(check);
    case "RUN_FLOORS":
      return floors(check);
    case "NOT_RUN_TWICE":
      return notRunTwice(check, time);
    case "RULE_RUNS":
      return ruleRuns(check);
    case "NEWER_VERSION":
      return newerVersion(check);
  }
}

function keyMayRun({ keyName, ruleName, ruleCount, isAllowed }: CheckOf<"KEY_MAY_RUN">): CheckSentence {
  if (!isAllowed) {
    return {
      title: "The key may no longer run this rule",
      keyName,
      text: ` asked when it might run ${ruleName}.`,
      result: "Not its rule",
    };
  }
  return {
    title: "The key may run this rule",
    keyName,
    text: ` may run ${ruleName}, with approval.`,
    result:
      ruleCount === null ? "All rules" : ruleCount === 1 ? "Only this rule" : `1 of its ${ruleCount} rules`,
  };
}

function moneyIsThere({ sources }: CheckOf<"RUN_MONEY">): CheckSentence {
  const [first] = sources;
  if (!first) {
    return {
      title: "It takes nothing",
      keyName: null,
      text: "No account has to give anything for this run.",
      result: formatCents(0),
    };
  }
  if (sources.length > 1) {
    const parts = sources.map(
      ({ accountName, takesInCents }) => `${formatCents(takesInCents)} of ${accountName}`,
    );
    return {
      title: "The money is there",
      keyName: null,
      text: `It takes ${parts.join(", ")}; each has it available.`,
      result: `${sources.length} accounts`,
    };
  }
  const { accountName, availableInCents, takesInCents } = first;
  const available = availableInCents ?? takesInCents;
  return {
    title: "The money is there",
    keyName: null,
    text: `${accountName} has ${formatCents(available)} available; this run takes ${formatCents(takesInCents)}.`,
    result: `${formatCents(available - takesInCents)} stays`,
  };
}

const FACT = {
  BALANCE: "balance",
  AVAILABLE_BALANCE: "available balance",
  NEXT_PAYMENT_MINIMUM: "next minimum payment",
  LAST_STATEMENT_BALANCE: "last statement",
  INCOMING_AMOUNT: "amount to start from",
} as const;

function inTheWay(problem: RunProblem): CheckSentence {
  if (problem.kind === "UNKNOWN") {
    const of = problem.accountName === null ? "" : ` of ${problem.accountName}`;
    return {
      title: `The ${FACT[problem.fact]}${of} is not known`,
      keyName: null,
      text: "Unknown counts as unknown, never as nothing. It can be approved once it is known.",
      result: "Not known",
    };
  }
  const { sourceName, destinationName, amountInCents } = problem;
  const wanted = `${formatCents(amountInCents)} from ${sourceName} to ${destinationName}`;
  if (problem.code === "ACCOUNT_CLOSED") {
    return {
      title: "An account is closed",
      keyName: null,
      text: `${wanted} cannot move, so the run would end there.`,
      result: "Would fail",
    };
  }
  return {
    title: `${sourceName} does not hold enough`,
    keyName: null,
    text: `${wanted} is more than it has left by then, so the run would end there.`,
    result: "Would fail",
  };
}

function floors({ outcome, accounts }: CheckOf<"RUN_FLOORS">): CheckSentence {
  const below = accounts.filter(({ afterInCents, floorInCents }) => afterInCents < floorInCents);
  const told = below.length > 0 ? below : accounts;
  const [first] = told;
  const text = told
    .map(
      ({ accountName, floorInCents, afterInCents }) =>
        `The floor of ${accountName} is ${formatCents(floorInCents)}; it will have ${formatCents(afterInCents)} available.`,
    )
    .join(" ");
  if (!first || told.length > 1) {
    const count = `${told.length} accounts`;
    return {
      title: outcome === "CLEAR" ? "Every account stays above its floor" : `${count} fall below their floors`,
      keyName: null,
      text,
      result: count,
    };
  }
  const aboveInCents = first.afterInCents - first.floorInCents;
  return {
    title:
      aboveInCents < 0
        ? `${first.accountName} falls below its floor`
        : `${first.accountName} stays above its floor`,
    keyName: null,
    text,
    result: aboveInCents < 0 ? `${formatCents(-aboveInCents)} below` : `${formatCents(aboveInCents)} above`,
  };
}

function notRunTwice({ runCount, lastAt }: CheckOf<"NOT_RUN_TWICE">, time: TimeContext): CheckSentence {
  const last = lastAt ? `The last run was on ${formatShortDay(lastAt, time)}.` : null;
  if (runCount > 0) {
    return {
      title: "It ran in the last 24\u00a0hours",
      keyName: null,
      text: `${runCount === 1 ? "1 other run" : `${runCount} other runs`} of this rule, waiting ones included. It may be asked twice.`,
      result: `${runCount} found`,
    };
  }
  return {
    title: "Not run twice",
    keyName: null,
    text: last ?? "This rule has not run before.",
    result: "None in 24\u00a0h",
  };
}

const PROBLEM: Record<RuleProblem, { title: string; text: string }> = {
  DELETED: { title: "The rule was deleted", text: "A deleted rule runs no more. Denying stays possible." },
  UNREADABLE: {
    title: "This version of Sluice cannot read the rule",
    text: "It was written by a newer one. Denying stays possible.",
  },
  DEACTIVATED: {
    title: "The rule is not active",
    text: "It was deactivated after this was asked. Denying stays possible.",
  },
  OTHER_VERSION: {
    title: "Another version of the rule is active",
    text: "This run was asked of an earlier one, which runs no more. Ask for a new run.",
  },
  PAUSED: {
    title: "The rule is paused",
    text: "Money that it had routed came back. Somebody has to look at the rule first.",
  },
};

function ruleRuns({ problem, version, activeVersion }: CheckOf<"RULE_RUNS">): CheckSentence {
  if (problem === null) {
    return {
      title: "The rule is active",
      keyName: null,
      text: `In version ${version}.`,
      result: `Version ${version}`,
    };
  }
  const result =
    problem === "OTHER_VERSION" && activeVersion !== null ? `Version ${activeVersion}` : "Does not run";
  return { ...PROBLEM[problem], keyName: null, result };
}

function newerVersion({ version, latestVersion, ruleHref }: CheckOf<"NEWER_VERSION">): CheckSentence {
  return {
    title: "A newer version waits",
    keyName: null,
    text: `This run uses version ${version}. Version ${latestVersion} is proposed and not active.`,
    link: { href: ruleHref, label: `Look at version ${latestVersion}` },
    result: `Version ${version}`,
  };
}
