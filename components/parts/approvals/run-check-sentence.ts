import { formatShortDay } from "@/components/time/format-instant";
import type { CheckView, RuleProblem, RunProblem } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";

/** A check in words: the finding, its numbers, and the short result on the right. */
export interface CheckSentence {
  title: string;
  /** Set in monospace before the text. */
  keyName: string | null;
  text: string;
  result: string;
  /** Where to see its subject. */
  link?: { href: string; label: string };
}

type RunCheck = Extract<
  CheckView,
  { kind: "KEY_MAY_RUN" | "RUN_MONEY" | "RUN_FLOORS" | "NOT_RUN_TWICE" | "RULE_RUNS" | "NEWER_VERSION" }
>;
type CheckOf<Kind extends RunCheck["kind"]> = Extract<RunCheck, { kind: Kind }>;

/** One check of a run in words. */
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
      text: ` was allowed to run ${ruleName} when it proposed this.`,
      result: "Not allowed",
    };
  }
  return {
    title: "The key may run this rule",
    keyName,
    text: ` may run ${ruleName} with approval.`,
    result:
      ruleCount === null ? "All rules" : ruleCount === 1 ? "Only this rule" : `1 of its ${ruleCount} rules`,
  };
}

function moneyIsThere({ sources }: CheckOf<"RUN_MONEY">): CheckSentence {
  const [first] = sources;
  if (!first) {
    return {
      title: "No money needed",
      keyName: null,
      text: "This run takes money from no account.",
      result: formatCents(0),
    };
  }
  if (sources.length > 1) {
    const parts = sources.map(
      ({ accountName, takesInCents }) => `${formatCents(takesInCents)} from ${accountName}`,
    );
    return {
      title: "Enough money",
      keyName: null,
      text: `It takes ${parts.join(", ")}; each has enough available.`,
      result: `${sources.length} accounts`,
    };
  }
  const { accountName, availableInCents, takesInCents } = first;
  const available = availableInCents ?? takesInCents;
  return {
    title: "Enough money",
    keyName: null,
    text: `${accountName} has ${formatCents(available)} available; this run takes ${formatCents(takesInCents)}.`,
    result: `${formatCents(available - takesInCents)} left`,
  };
}

const FACT = {
  BALANCE: "balance",
  AVAILABLE_BALANCE: "available balance",
  NEXT_PAYMENT_MINIMUM: "next minimum payment",
  LAST_STATEMENT_BALANCE: "last statement",
  INCOMING_AMOUNT: "incoming amount",
} as const;

function inTheWay(problem: RunProblem): CheckSentence {
  if (problem.kind === "UNKNOWN") {
    const of = problem.accountName === null ? "" : ` of ${problem.accountName}`;
    return {
      title: `The ${FACT[problem.fact]}${of} is unknown`,
      keyName: null,
      text: "Unknown is not zero. The run can be approved once the value is known.",
      result: "Unknown",
    };
  }
  const { sourceName, destinationName, amountInCents } = problem;
  const wanted = `${formatCents(amountInCents)} from ${sourceName} to ${destinationName}`;
  if (problem.code === "ACCOUNT_CLOSED") {
    return {
      title: "An account is closed",
      keyName: null,
      text: `${wanted} can’t move, so the run would stop there.`,
      result: "Would fail",
    };
  }
  if (problem.code === "ABOVE_OUTGOING_CAP") {
    return {
      title: "More than may leave Sluice in 24 hours",
      keyName: null,
      text: `${wanted} would exceed the cap on money out, so the run would stop there. Approve it later, or ask an owner to change the cap in Settings.`,
      result: "Would fail",
    };
  }
  return {
    title: `${sourceName} doesn’t have enough`,
    keyName: null,
    text: `${wanted} is more than it would have left, so the run would stop there.`,
    result: "Would fail",
  };
}

function floors({ outcome, accounts }: CheckOf<"RUN_FLOORS">): CheckSentence {
  const below = accounts.filter(({ afterInCents, floorInCents }) => afterInCents < floorInCents);
  const reported = below.length > 0 ? below : accounts;
  const [first] = reported;
  const text = reported
    .map(
      ({ accountName, floorInCents, afterInCents }) =>
        `The floor of ${accountName} is ${formatCents(floorInCents)}; it will have ${formatCents(afterInCents)} available.`,
    )
    .join(" ");
  if (!first || reported.length > 1) {
    const count = `${reported.length} accounts`;
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

function notRunTwice(
  { runCount, latest, lastAt }: CheckOf<"NOT_RUN_TWICE">,
  time: TimeContext,
): CheckSentence {
  const last = lastAt ? `The last run was on ${formatShortDay(lastAt, time)}.` : null;
  if (runCount > 0) {
    return {
      title: "It ran in the last 24\u00a0hours",
      keyName: null,
      text: `${runCount === 1 ? "1 other run" : `${runCount} other runs`} of this rule, including open proposals. This may be a duplicate.`,
      result: `${runCount} found`,
      ...(latest && {
        link: { href: latest.href, label: latest.isWaiting ? "Open the other proposal" : "View that run" },
      }),
    };
  }
  return {
    title: "No recent run",
    keyName: null,
    text: last ?? "This rule has not run before.",
    result: "None in 24\u00a0h",
  };
}

const PROBLEM: Record<RuleProblem, { title: string; text: string }> = {
  DELETED: { title: "The rule was deleted", text: "A deleted rule can’t run. You can still deny." },
  UNREADABLE: {
    title: "This version of Sluice cannot read the rule",
    text: "A newer version wrote it. You can still deny.",
  },
  DEACTIVATED: {
    title: "The rule is not active",
    text: "It was deactivated after this was proposed. You can still deny.",
  },
  OTHER_VERSION: {
    title: "Another version of the rule is active",
    text: "This run was proposed for an earlier version, which no longer runs. Ask for a new run.",
  },
  PAUSED: {
    title: "The rule is paused",
    text: "Money that it moved was returned. Review the rule first.",
  },
};

function ruleRuns({ problem, version, activeVersion }: CheckOf<"RULE_RUNS">): CheckSentence {
  if (problem === null) {
    return {
      title: "The rule is active",
      keyName: null,
      text: `Version ${version} is active.`,
      result: `Version ${version}`,
    };
  }
  const result =
    problem === "OTHER_VERSION" && activeVersion !== null ? `Version ${activeVersion}` : "Can’t run";
  return { ...PROBLEM[problem], keyName: null, result };
}

function newerVersion({ version, latestVersion, ruleHref }: CheckOf<"NEWER_VERSION">): CheckSentence {
  return {
    title: "A newer version is proposed",
    keyName: null,
    text: `This run uses version ${version}. Version ${latestVersion} is not active yet.`,
    link: { href: ruleHref, label: `View version ${latestVersion}` },
    result: `Version ${version}`,
  };
}
