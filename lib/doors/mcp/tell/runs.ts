import { type Page, pageOf } from "@/lib/contract/page";
import {
  type RuleExecution,
  type RuleExecutionSummary,
  ruleExecutionSchema,
  ruleExecutionSummarySchema,
  triggeredExecutionSchema,
} from "@/lib/contract/rules/execution";
import { DENIED, tellProposal } from "@/lib/doors/mcp/tell/approval";
import { tellMoment } from "@/lib/doors/mcp/tell/moment";
import { tellPage } from "@/lib/doors/mcp/tell/page";
import { quote } from "@/lib/doors/mcp/tell/quote";
import { teller } from "@/lib/doors/mcp/tell/teller";
import { tellTriggerDetails } from "@/lib/doors/mcp/tell/trigger-details";

const MESSAGE_LENGTH = 600;
/** A step has at most fifty actions; a budget over debts makes several transfers of one. */
const TRANSFERS_SHOWN = 20;

const POLLING =
  "first after one second, then with waits that double, up to five minutes, until the status is EXECUTED, PARTIAL or FAILED";

/** A run that was just asked for. */
export const tellTriggered = teller(triggeredExecutionSchema, (run) => {
  const poll = pollOf(run.ruleId, run.executionId);
  const heading = `Run ${run.executionId} of rule ${run.ruleId}. Status: ${run.status}.`;
  if (run.executionMode === "SIMULATION") {
    return [
      heading,
      "This was a dry run: nothing moved, and nobody was asked. It has ended.",
      `Call ${poll} for how it came out, and listTransfers with an account, ruleExecutionId: "${run.executionId}" and executionMode: "SIMULATION" for the amounts. Tell the person what it would do, and ask before you call triggerRule without simulation.`,
    ].join("\n");
  }
  return [heading, ...tellRunStatus(run, poll)].join("\n");
});

/** One run of a rule, and why it went so. */
export const tellRun = teller(ruleExecutionSchema, (run, appUrl) => {
  const isDryRun = run.executionMode === "SIMULATION";
  return [
    `Run ${run.id} of rule ${run.ruleId}, ${tellMoment(run.createdAt)}, ${tellTriggerDetails(run.triggerDetails)}. Status: ${run.status}.`,
    ...(isDryRun ? tellDryRun(run) : tellRunStatus(run, pollOf(run.ruleId, run.id))),
    ...tellError(run),
    ...tellSteps(run),
    ...tellCounts(run),
    `Its page, for a person, shows how each amount came about: ${appUrl}/rules/${run.ruleId}/runs/${run.id}`,
  ].join("\n");
});

/** A page of the runs of a rule. */
export const tellRuns = teller(pageOf(ruleExecutionSummarySchema), (page: Page<RuleExecutionSummary>) =>
  tellPage(
    page,
    {
      one: "run",
      many: "runs",
      empty:
        'No runs as you asked: the rule has not run, or not with this status. Dry runs are listed with executionMode: "ALL". getRule says whether the rule is active.',
      next: "getRuleExecution with ruleId and the run's id says how it went and why.",
    },
    (run) =>
      [
        `${tellMoment(run.createdAt)}, ${run.status}${run.executionMode === "SIMULATION" ? " (dry run)" : ""}`,
        ...(run.approvalUrl === null ? [] : [`an owner or co-owner decides at ${run.approvalUrl}`]),
        `id ${run.id}`,
      ].join("; "),
  ),
);

const pollOf = (ruleId: string, id: string) => `getRuleExecution with ruleId: "${ruleId}" and id: "${id}"`;

type Status = Pick<RuleExecutionSummary, "status" | "approvalUrl" | "reasonForApproval" | "createdAt">;

function tellRunStatus(run: Status, poll: string): string[] {
  switch (run.status) {
    case "APPROVAL_PENDING":
      return [
        ...tellProposal({ ...run, poll }),
        "After a yes it becomes IN_PROGRESS, and ends as EXECUTED, PARTIAL or FAILED; after a no it is APPROVAL_DENIED.",
      ];
    case "APPROVAL_DENIED":
      return DENIED;
    case "IN_PROGRESS":
      return [
        `It is at work, waits to try again, or waits for its transfers to settle. Call ${poll}, ${POLLING}. Transfers over banks take days: then once an hour is enough.`,
      ];
    case "EXECUTED":
      return ["It ended well. This status is final."];
    case "PARTIAL":
      return [
        "Some of its transfers went through and some failed. This status is final: it is not continued. Do not run it again to make up for it: what went through would move twice. Tell the person what is missing.",
      ];
    case "FAILED":
      return [
        "It broke off, or all its transfers failed; some may have gone through before. This status is final. Read why, and ask the person before you run it again.",
      ];
  }
}

/** A dry run ends where it begins, and is never a reason to make up for anything. */
function tellDryRun({ status, id }: RuleExecution): string[] {
  const live = DRY_RUN_WORDS[status];
  return [
    `This was a dry run: nothing moved. ${live}`,
    `What follows is what would happen. listTransfers with an account, ruleExecutionId: "${id}" and executionMode: "SIMULATION" has the amounts.`,
  ];
}

const DRY_RUN_WORDS: Record<RuleExecution["status"], string> = {
  EXECUTED: "Live, it would end well as things are now.",
  PARTIAL: "Live, some of its transfers would go through, and then one would fail and end the run.",
  FAILED: "Live, it would fail as things are now.",
  IN_PROGRESS: "It has not ended yet: read it again in a few seconds.",
  APPROVAL_PENDING: "Dry runs wait for nobody: read it again.",
  APPROVAL_DENIED: "Dry runs wait for nobody: read it again.",
};

function tellError({ errorMessage, nextAttemptAt }: RuleExecution): string[] {
  return [
    ...(errorMessage === null ? [] : [`Why: ${quote(errorMessage, MESSAGE_LENGTH)}`]),
    ...(nextAttemptAt === null
      ? []
      : [`It is tried again at ${tellMoment(nextAttemptAt)}: look then, not before.`]),
  ];
}

function tellSteps({ conditionsNotMet, stepIndexMatched }: RuleExecution): string[] {
  if (conditionsNotMet)
    return ["The conditions of no step held, so nothing was to be moved. That is no fault."];
  return stepIndexMatched === null
    ? []
    : [`Step ${stepIndexMatched + 1} was the first whose conditions held.`];
}

function tellCounts(run: RuleExecution): string[] {
  if (run.transfersAttempted === 0) return [];
  const { transfersCompleted: completed, transfersFailed: failed, transfersPending: pending } = run;
  const skipped = Math.max(0, run.transfersAttempted - completed - failed - pending);
  const small = skipped === 0 ? "" : `, ${skipped} skipped as below $1.00`;
  const counts = `Transfers: ${run.transfersAttempted} worked out, ${completed} complete, ${failed} failed, ${pending} on their way${small}.`;
  if (run.transferIds.length === 0) return [counts];
  const shown = run.transferIds.slice(0, TRANSFERS_SHOWN);
  const more =
    run.transferIds.length > shown.length ? ` and ${run.transferIds.length - shown.length} more` : "";
  return [counts, `Their ids, for getTransfer: ${shown.join(", ")}${more}.`];
}
