import { writeCents } from "@/lib/contract/format-cents";
import { runHref, runsHref } from "@/lib/contract/hrefs";
import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import {
  type NoticeContext,
  type NoticeHandler,
  settingOf,
  subjectsOf,
} from "@/lib/core/notifications/notice-handler";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/digest";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { type FailedRun, type RunStarter, renderRuleRunFailed } from "@/lib/words/messages/rule-run-failed";
import { isolatedName, sentenceText } from "@/lib/words/messages/untrusted-text";

const KIND = "RULE_RUN_FAILED";

const STARTED_BY_KIND = callerKind("e.started_by_kind", "e.started_by_id");

interface RunRow {
  id: string;
  ruleId: string;
  ruleName: string;
  createdAt: Date;
  startedByKind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK" | "ARRIVAL" | "SCHEDULE" | null;
  startedByName: string | null;
  errorMessage: string | null;
  completedCount: number;
  movedInCents: number;
}

/** Rule runs that failed or partly failed, in a digest per rule. */
export const runFailedHandler: NoticeHandler = {
  one: async (context, notice) => {
    const [row] = await readRuns(context.client, [notice]);
    if (!row) return null;
    const rendered = renderRuleRunFailed(toRun(row, context), settingOf(context, notice));
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },

  digest: async (context, notices) => {
    const [first] = notices;
    const rows = await readRuns(context.client, notices);
    const [row] = rows;
    if (!first || !row) return null;
    const inPart = rows.filter(({ completedCount }) => completedCount > 0).length;
    const movedInCents = rows.reduce((sum, { movedInCents }) => sum + movedInCents, 0);
    const digest = {
      count: rows.length,
      subject: `${rows.length} more runs of ${isolatedName(row.ruleName)} failed`,
      sentence:
        inPart === 0
          ? "None of them moved anything."
          : `${inPart} of them failed in part: ${writeCents(movedInCents)} moved, and stays where it is.`,
      lines: rows.slice(0, MAX_LISTED_LINES).map((one) => lineOf(one, first)),
      action: { label: "See the rule's runs", url: `${context.appUrl}${runsHref(row.ruleId)}` },
      why: "CHOSEN" as const,
      smsSentence: `Sluice: ${rows.length} more runs of a rule failed.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderDigest(digest, settingOf(context, first)),
    };
  },
};

function lineOf(row: RunRow, { timeZone }: Pick<DueNotice, "timeZone">): string {
  const when = formatMoment(row.createdAt, timeZone);
  return row.errorMessage === null ? when : `${when}: ${sentenceText(row.errorMessage)}`;
}

async function readRuns(client: Queryable, notices: readonly DueNotice[]): Promise<RunRow[]> {
  const { organizationId, ids } = subjectsOf(notices);
  const { rows } = await client.query<RunRow>({
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

function toRun(row: RunRow, { appUrl }: NoticeContext): FailedRun {
  return {
    ruleName: row.ruleName,
    movedInCents: row.movedInCents,
    completedCount: row.completedCount,
    startedAt: row.createdAt,
    startedBy: toStarter(row),
    problem: row.errorMessage,
    runUrl: `${appUrl}${runHref(row.ruleId, row.id)}`,
  };
}

function toStarter({ startedByKind: kind, startedByName: name }: RunRow): RunStarter | null {
  if (kind === "API_KEY" || kind === "ASSISTANT" || kind === "MEMBER")
    return name === null ? null : { kind, name };
  return kind && { kind };
}
