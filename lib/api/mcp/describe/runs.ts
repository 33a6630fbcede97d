import type { z } from "zod";
import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { describePage } from "@/lib/api/mcp/describe/list-page";
import { accountOf, partyName, quote, utcMoment } from "@/lib/api/mcp/describe/text";
import { describeChecks, describeDenied, describeProposal } from "@/lib/api/mcp/describe/transfers";
import { formatCents } from "@/lib/contract/format-cents";
import { type Page, pageOf } from "@/lib/contract/page";
import {
  type RuleExecution,
  type RuleExecutionLine,
  type RuleExecutionSummary,
  ruleExecutionLineSchema,
  ruleExecutionSchema,
  ruleExecutionSummarySchema,
  type TriggeredExecution,
  type triggerDetailsSchema,
  triggeredExecutionSchema,
} from "@/lib/contract/rules/execution";
import type { SkipReason } from "@/lib/contract/rules/plan";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { baseInWords } from "@/lib/core/rules/rule-in-words";

const describeAmount = (amountInCents: number | null) =>
  amountInCents === null ? "" : ` (${formatCents(amountInCents)})`;

const MESSAGE_LENGTH = 600;
/** A step has at most fifty actions; a budget over debts makes several transfers from one. */
const TRANSFERS_SHOWN = 20;

const POLLING =
  "first after one second, then with waits that double, up to five minutes, until the status is EXECUTED, PARTIAL or FAILED";

/** A run that was just started. */
export const describeTriggered = describer(triggeredExecutionSchema, (run, { names, mayCall }) => {
  const poll = pollOf(run.ruleId, run.executionId);
  const heading = `Run ${run.executionId} of rule ${run.ruleId}. Status: ${run.status}.`;
  if (run.executionMode === "SIMULATION") {
    return [
      heading,
      "It has ended; no approval was needed.",
      ...describeDryRun(run, names),
      ...(run.transfers === null
        ? [
            `Next: call ${poll} for the outcome${mayCall("listTransfers") ? `, and ${amountsOf(run.executionId)} for the amounts` : ""}.`,
          ]
        : describePlanned(run.transfers)),
      ...describeChecks(run),
      `${run.transfers === null ? "Tell" : "Next: tell"} the person what it would do, and ask before you call triggerRule without simulation.`,
    ].join("\n");
  }
  return [heading, ...describeRunStatus({ ...run, decision: null }, poll)].join("\n");
});

/** One run of a rule, and the reasons for its outcome. */
export const describeRun = describer(ruleExecutionSchema, (run, { appUrl, names, mayCall }) => {
  const isDryRun = run.executionMode === "SIMULATION";
  return [
    `Run ${run.id} of version ${run.ruleVersion} of rule ${run.ruleId}, ${utcMoment(run.createdAt)}, ${describeTriggerDetails(run.triggerDetails)}. Status: ${run.status}.`,
    ...(isDryRun
      ? [...describeDryRun(run, names), ...(mayCall("listTransfers") ? [describeWhereAmountsAre(run)] : [])]
      : describeRunStatus(run, pollOf(run.ruleId, run.id))),
    ...describeError(run),
    ...describeSteps(run),
    ...describeCounts(run, mayCall("listTransfers")),
    `Its page, for a person, shows how each amount was computed: ${appUrl}/rules/${run.ruleId}/runs/${run.id}`,
  ].join("\n");
});

/** A page of the runs of a rule. */
export const describeRuns = describer(
  pageOf(ruleExecutionSummarySchema),
  (page: Page<RuleExecutionSummary>) =>
    describePage(
      page,
      {
        one: "run",
        many: "runs",
        empty:
          'No runs match: the rule has not run, or not with this status. Dry runs are listed with executionMode: "ALL". getRule says whether the rule is active.',
        next: "getRuleExecution with ruleId and the run's id explains how it went and why.",
      },
      (run) =>
        [
          `${utcMoment(run.createdAt)}, ${run.status}${run.executionMode === "SIMULATION" ? " (dry run)" : ""}`,
          ...(run.approvalUrl === null ? [] : [`an owner or co-owner decides at ${run.approvalUrl}`]),
          `id ${run.id}`,
        ].join("; "),
    ),
);

/** A page of the runs of all rules. */
export const describeAllRuns = describer(pageOf(ruleExecutionLineSchema), (page: Page<RuleExecutionLine>) =>
  describePage(
    page,
    {
      one: "run",
      many: "runs",
      empty: 'No runs match. Leave out status and from to see more; dry runs need executionMode: "ALL".',
      next: "getRuleExecution with ruleId and the run's id returns its transfers.",
    },
    (run) =>
      [
        `${utcMoment(run.createdAt)}, ${quote(run.ruleName)}, ${run.status}${run.executionMode === "SIMULATION" ? " (dry run)" : ""}`,
        ...(run.reason === null ? [] : [`why: ${quote(run.reason, MESSAGE_LENGTH)}`]),
        ...(run.approvalUrl === null ? [] : [`an owner or co-owner decides at ${run.approvalUrl}`]),
        `rule ${run.ruleId}, id ${run.id}`,
      ].join("; "),
  ),
);

/** The call that returns the outcome. */
const pollOf = (ruleId: string, id: string) => `getRuleExecution with ruleId: "${ruleId}" and id: "${id}"`;

type Planned = NonNullable<TriggeredExecution["transfers"]>;

const SKIPPED_BECAUSE: Record<SkipReason, string> = {
  TOO_SMALL: "below $1.00",
  LIMIT_USED_UP: "its limit is used up",
  FULL: "the target is reached",
  NOTHING_DUE: "nothing is due",
  NOTHING_THERE: "the source has nothing to give",
  NOTHING_ASKED: "its share comes to nothing",
};

/** What a dry run would move, transfer by transfer. */
function describePlanned(transfers: Planned): string[] {
  if (transfers.length === 0) return ["It would make no transfer."];
  const more = transfers.length - TRANSFERS_SHOWN;
  return [
    ...transfers.slice(0, TRANSFERS_SHOWN).map(describePlannedLine),
    ...(more > 0 ? [`- and ${more} more in the structured part.`] : []),
  ];
}

function describePlannedLine({
  amountInCents,
  skippedBecause,
  errorCode,
  ...route
}: Planned[number]): string {
  const way = `from ${partyName(route.source)} to ${partyName(route.destination)}`;
  if (skippedBecause !== null) return `- Skipped ${way}: ${SKIPPED_BECAUSE[skippedBecause]}.`;
  const amount = formatCents(amountInCents);
  return errorCode === null
    ? `- Would move ${amount} ${way}.`
    : `- ${amount} ${way} would fail (${errorCode}) and end the run.`;
}

type Status = Pick<
  RuleExecutionSummary,
  "status" | "approvalUrl" | "reasonForApproval" | "createdAt" | "decision"
>;

function describeRunStatus(run: Status, poll: string): string[] {
  switch (run.status) {
    case "APPROVAL_PENDING":
      return [
        ...describeProposal({ ...run, poll }),
        "Once approved it becomes IN_PROGRESS, and ends as EXECUTED, PARTIAL or FAILED; if denied it becomes APPROVAL_DENIED.",
      ];
    case "APPROVAL_DENIED":
      return describeDenied(run.decision);
    case "IN_PROGRESS":
      return [
        "It is running, waiting to retry, or waiting for its transfers to settle.",
        `Next: call ${poll}, ${POLLING}. Transfers between banks take days: then once an hour is enough.`,
      ];
    case "EXECUTED":
      return ["It completed. This status is final."];
    case "PARTIAL":
      return [
        "Some of its transfers went through and some failed. This status is final: the run does not continue. Do not run it again to make up for it: what went through would move twice. Tell the person what is missing.",
      ];
    case "FAILED":
      return [
        "It stopped early, or all its transfers failed; some may have gone through before. This status is final. Read why, and ask the person before you run it again.",
      ];
  }
}

/**
 * What a dry run tried, from which base, and what that predicts for a live run. A dry run changes nothing, and is
 * never a reason to make up for anything; from an assumed base it predicts nothing.
 */
function describeDryRun(
  {
    status,
    ruleVersion,
    base,
    live,
  }: Pick<RuleExecution, "status" | "base" | "live"> & { ruleVersion: number | null },
  names: AccountNames,
): string[] {
  const version = ruleVersion === null ? "the rule" : `version ${ruleVersion}`;
  if (base === null) return [`This was a dry run of ${version}: nothing moved.`];
  const from = baseInWords(base, (id) => accountOf(id, names));
  const isArrival = base.setsOff !== null;
  const outlook =
    base.kind === "REAL_BALANCE"
      ? describeOutlook(isArrival ? "If that much arrives now" : "Run live now", ENDS[status], live)
      : `From these figures ${ENDS[status]} The real balance is different, so this predicts nothing about a live run.`;
  return [
    `This was a dry run of ${version}, computed from ${from}. Nothing moved. ${outlook}`,
    ...(base.setsOff === false
      ? ["An arrival this small does not start the rule: its trigger has a larger minimum."]
      : []),
  ];
}

/** From the real balance: how the run would start, then how it would end. */
function describeOutlook(start: string, end: string, live: RuleExecution["live"]): string {
  switch (live?.outcome) {
    case "STARTS":
      return `${start}, ${end}`;
    case "WAITS_FOR_APPROVAL":
      return `${start}, it would first wait for an owner or co-owner (${quote(live.errorMessage ?? "", MESSAGE_LENGTH)}); approved, ${end}`;
    case "REFUSED":
      return `${start}, it would not run: ${quote(live.errorMessage ?? "", MESSAGE_LENGTH)} If nothing prevented it, ${end}`;
    case undefined:
      return `${start}, ${end} This assumes that the version is active, gates are open, and no cap or approval holds it up.`;
  }
}

const amountsOf = (id: string) =>
  `listTransfers with an account, ruleExecutionId: "${id}" and executionMode: "SIMULATION"`;

function describeWhereAmountsAre({ id }: Pick<RuleExecution, "id">): string {
  return `Below is what would happen. ${amountsOf(id)} has the amounts.`;
}

const ENDS: Record<RuleExecution["status"], string> = {
  EXECUTED: "it would complete.",
  PARTIAL: "some of its transfers would go through, and then one would fail and end the run.",
  FAILED: "it would fail.",
  IN_PROGRESS: "it has not ended yet: read it again in a few seconds.",
  APPROVAL_PENDING: "it has not ended yet: read it again in a few seconds.",
  APPROVAL_DENIED: "it has not ended yet: read it again in a few seconds.",
};

function describeError({ errorMessage, nextAttemptAt }: RuleExecution): string[] {
  return [
    ...(errorMessage === null ? [] : [`Why: ${quote(errorMessage, MESSAGE_LENGTH)}`]),
    ...(nextAttemptAt === null
      ? []
      : [`The next attempt is at ${utcMoment(nextAttemptAt)}: check then, not before.`]),
  ];
}

function describeSteps({ conditionsNotMet, stepIndexMatched }: RuleExecution): string[] {
  if (conditionsNotMet) return ["Its conditions were not met, so nothing moved. This is not an error."];
  return stepIndexMatched === null
    ? []
    : [`Step ${stepIndexMatched + 1} was the first whose conditions were met.`];
}

/** `readsTransfers`: the run's transfers are not the caller's own proposals, even if it started the run. */
function describeCounts(run: RuleExecution, readsTransfers: boolean): string[] {
  if (run.transfersAttempted === 0) return [];
  const { transfersCompleted: completed, transfersFailed: failed, transfersPending: pending } = run;
  const skipped = Math.max(0, run.transfersAttempted - completed - failed - pending);
  const small = skipped === 0 ? "" : `, ${skipped} skipped (below $1.00, full, paid, or a limit used up)`;
  const counts = `Transfers: ${run.transfersAttempted} computed, ${completed} complete, ${failed} failed, ${pending} in progress${small}.`;
  if (run.transferIds.length === 0) return [counts];
  const shown = run.transferIds.slice(0, TRANSFERS_SHOWN);
  const more =
    run.transferIds.length > shown.length ? ` and ${run.transferIds.length - shown.length} more` : "";
  return [counts, `Their ids${readsTransfers ? ", for getTransfer" : ""}: ${shown.join(", ")}${more}.`];
}

/** What started a run. */
function describeTriggerDetails(details: z.infer<typeof triggerDetailsSchema>): string {
  switch (details.type) {
    case "MANUAL":
      return `started by a person${describeAmount(details.amountInCents)}`;
    case "SERVICE_API":
      return `started by a key or an assistant${describeAmount(details.amountInCents)}`;
    case "ON_FUNDS_TRANSFERRED":
      return `started by money that arrived${describeAmount(details.amountInCents)}`;
    case "SCHEDULED":
      return `started by its schedule${details.scheduledTime === null ? "" : ` for ${utcMoment(details.scheduledTime)}`}`;
    case "REMOTE_API":
      return "started by a program with the rule's own secret";
  }
}
