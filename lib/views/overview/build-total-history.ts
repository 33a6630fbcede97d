import type { BalancePoint } from "@/lib/contract/views/account-page-view";
import type { FlowsRead } from "@/lib/views/overview/read-flows";

/** The total over the chart's days, reckoned backwards from what it is now by what crossed the border since. Pure. */
export function buildTotalHistory(
  { totalInCents, historyFrom, changes }: Pick<FlowsRead, "totalInCents" | "historyFrom" | "changes">,
  now: Date,
): { points: BalancePoint[]; changeInCents: number } {
  const changeInCents = changes.reduce((sum, { netInCents }) => sum + netInCents, 0);
  let balanceInCents = totalInCents - changeInCents;
  const points: BalancePoint[] = [{ at: historyFrom.toISOString(), balanceInCents }];
  for (const { endsAt, netInCents } of changes) {
    balanceInCents += netInCents;
    // The last moment of the day, so that its label is that day's; today has not ended.
    const at = Math.min(endsAt.getTime() - 1, now.getTime());
    points.push({ at: new Date(at).toISOString(), balanceInCents });
  }
  points.push({ at: now.toISOString(), balanceInCents: totalInCents });
  return { points, changeInCents };
}
