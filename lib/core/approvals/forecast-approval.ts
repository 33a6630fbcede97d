import { approvableMoves } from "@/lib/core/approvals/approvable-moves";
import type { ApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { transferMoves } from "@/lib/core/approvals/describe-transfer";
import { forecastKnockOn } from "@/lib/core/approvals/forecast-knock-on";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import type { Forecast } from "@/lib/engine/forecast/forecast-arrivals";

/** What it would set off. Transfers that are asked for begin a chain; those of a run come after its rule. */
export async function forecastApproval(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  facts: ApprovalFacts,
  timeZone: string,
): Promise<Forecast> {
  const where = { organizationId, now, timeZone };
  if (facts.kind === "TRANSFER") return forecastKnockOn(database, where, transferMoves(facts), 0);
  return forecastKnockOn(database, where, approvableMoves(facts.plan) ?? [], facts.chainDepth + 1);
}
