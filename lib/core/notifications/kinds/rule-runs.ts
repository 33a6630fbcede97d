import { writeCents } from "@/lib/contract/format-cents";
import { runHref, runsHref } from "@/lib/contract/hrefs";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { callerKind } from "@/lib/core/shared/subject-columns";
import { transfers } from "@/lib/words/messages/proposal";
import { isolatedName, sentenceText } from "@/lib/words/messages/untrusted-text";

interface FailedRun {
  id: string;
  ruleId: string;
  ruleName: string;
  createdAt: Date;
  /** Null: unknown. */
  startedByKind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK" | "ARRIVAL" | "SCHEDULE" | null;
  startedByName: string | null;
  /** Why, in our words with untrusted names; null if not recorded. */
  errorMessage: string | null;
  /** Completed transfers. 0: the whole run failed. */
  completedCount: number;
  movedInCents: number;
}

const STARTED_BY_KIND = callerKind("e.started_by_kind", "e.started_by_id");

async function readRuns({ client, organizationId, ids }: Reading): Promise<FailedRun[]> {
  const { rows } = await client.query<FailedRun>({
    name: "read_failed_runs",
    text: `
      select e.id, e.rule_id as "ruleId", r.name as "ruleName", e.created_at as "createdAt",
          ${STARTED_BY_KIND} as "startedByKind", e.started_by_name as "startedByName",
          e.error_message as "errorMessage",
          done.completed_count as "completedCount", done.moved_in_cents as "movedInCents"
        from rule_executions e
        join rules r on r.organization_id = e.organization_id and r.id = e.rule_id
        cross join lateral (
          select count(*)::int as completed_count, coalesce(sum(t.amount_in_cents), 0)::bigint as moved_in_cents
            from transfers t
           where t.organization_id = e.organization_id and t.rule_execution_id = e.id and t.status = 'COMPLETE') done
       where e.organization_id = $1 and e.id = any ($2)
       order by done.moved_in_cents desc, e.id`,
    values: [organizationId, ids],
  });
  return rows;
}

/** A live run of a rule failed, in whole or in part; in a digest per rule. */
export const ruleRunFailed = noticeKind({
  kind: "RULE_RUN_FAILED",
  read: readRuns,
  say: {
    headline: ({ ruleName, completedCount }) =>
      `${isolatedName(ruleName)} ${completedCount > 0 ? "failed in part" : "failed"}`,
    lines: runLines,
    preview: (run, moment) => runLines(run, moment).join(" "),
    action: ({ ruleId, id }) => ({ label: "See the run", href: runHref(ruleId, id) }),
    note: "It will not be retried automatically. The rule runs again on its next trigger.",
    sms: ({ completedCount, movedInCents }) =>
      completedCount > 0
        ? `a rule run failed in part. ${writeCents(movedInCents)} moved.`
        : "a rule run failed. Nothing moved.",
    digest: {
      headline: (all) => `${all.length} more runs of ${isolatedName(all[0]?.ruleName ?? "")} failed`,
      sentence: inPartWords,
      line: ({ createdAt, errorMessage }, moment) =>
        errorMessage === null ? moment(createdAt) : `${moment(createdAt)}: ${sentenceText(errorMessage)}`,
      action: (all) => ({ label: "See the rule's runs", href: runsHref(all[0]?.ruleId ?? "") }),
      sms: (all) => `${all.length} more runs of a rule failed.`,
    },
  },
});

function runLines(run: FailedRun, moment: (instant: Date) => string): string[] {
  const ran = `It ran ${moment(run.createdAt)}${starterWords(run)}.`;
  const moved =
    run.completedCount > 0
      ? `${writeCents(run.movedInCents)} moved in ${transfers(run.completedCount)}, and stays where it is.`
      : "Nothing moved.";
  if (run.errorMessage === null) return [`${ran} ${moved}`];
  const problem = sentenceText(run.errorMessage);
  // Most problems already end with these words.
  return [problem, problem.endsWith(moved) ? ran : `${ran} ${moved}`];
}

/** With the name of a key, an assistant or a member. */
function starterWords({ startedByKind: kind, startedByName: name }: FailedRun): string {
  switch (kind) {
    case null:
      return "";
    case "ARRIVAL":
      return ", started by money that arrived";
    case "SCHEDULE":
      return ", on its schedule";
    case "HOOK":
      return ", started through its webhook";
    default:
      if (name === null) return "";
      return `, started by ${kind === "ASSISTANT" ? "the assistant " : ""}${isolatedName(name)}`;
  }
}

function inPartWords(all: readonly FailedRun[]): string {
  const inPart = all.filter(({ completedCount }) => completedCount > 0).length;
  if (inPart === 0) return "None of them moved anything.";
  const movedInCents = all.reduce((sum, run) => sum + run.movedInCents, 0);
  return `${inPart} of them failed in part: ${writeCents(movedInCents)} moved, and stays where it is.`;
}

export const ruleRunNotices: HandlersOf<"RULE_RUNS"> = { RULE_RUN_FAILED: ruleRunFailed };
