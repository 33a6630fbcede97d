import { writeCents } from "@/lib/contract/format-cents";
import type { ApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { describeKnockOn } from "@/lib/core/approvals/describe-knock-on";
import { forecastApproval } from "@/lib/core/approvals/forecast-approval";
import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import type { Telling } from "@/lib/core/notifications/telling";
import { hasCodeClass } from "@/lib/platform/error-code";
import { nameList } from "@/lib/words/messages/name-list";

/**
 * Which rules an approval would set off, as the end of a sentence that begins with "If you approve,": a forecast. Null
 * where none runs. What cannot be foreseen is left out: nobody is asked later, or not at all, because of it.
 */
export async function sayKnockOn(
  { client, log }: Telling,
  notice: DueNotice,
  facts: ApprovalFacts,
): Promise<string | null> {
  await client.query("savepoint before_forecast");
  try {
    const forecast = await forecastApproval(client, notice, facts, notice.timeZone);
    const runs = describeKnockOn(forecast).runs.filter(({ outcome }) => outcome === "RUNS");
    await client.query("release savepoint before_forecast");
    return inWords(runs);
  } catch (error) {
    if (hasCodeClass(error, "40")) throw error;
    await client.query("rollback to savepoint before_forecast");
    const { organizationId, subjectId } = notice;
    log.warn(
      { err: error, organizationId, proposalId: subjectId },
      "what a proposal sets off is not foreseen",
    );
    return null;
  }
}

function inWords(runs: readonly { ruleName: string; movedInCents: number }[]): string | null {
  if (runs.length === 0) return null;
  const names = [...new Set(runs.map(({ ruleName }) => ruleName))];
  const moved = writeCents(runs.reduce((sum, { movedInCents }) => sum + movedInCents, 0));
  return names.length === 1
    ? `the rule ${nameList(names)} also runs and moves ${moved}, as things stand now.`
    : `the rules ${nameList(names)} also run and move ${moved} together, as things stand now.`;
}
