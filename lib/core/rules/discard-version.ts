import type { DiscardInput, RuleChangeResult } from "@/lib/contract/views/rule-change";
import { MAY_NOT, ruleEvent } from "@/lib/core/rules/confirmed-rule-change";
import { lockRule, RuleNotChanged } from "@/lib/core/rules/lock-rule";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { inTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

type Outcome = "DISCARDED" | "DELETED" | "NOT_LATEST" | "IS_ACTIVE" | "MISSING";

/**
 * Throws the latest version away, when it is not active; the latest is then the highest that is left. It moves nothing
 * and stops nothing, so it takes no confirmation.
 * @returns `DELETED` when no version was left: the rule went with it.
 */
export async function discardVersion(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { ruleId, version }: DiscardInput,
): Promise<RuleChangeResult | { kind: "DELETED" }> {
  if (!mayDecide(context.actor)) return MAY_NOT;
  try {
    const outcome = await inTransaction(services.pool, async (client) => {
      await lockRule(client, context, ruleId);
      const event = ruleEvent(context, { ruleId, version }, null);
      const { rows } = await client.query<{ outcome: Outcome }>(
        "select discard_rule_version($1) as outcome",
        [JSON.stringify({ ...event, deletionEventId: newId(context.now) })],
      );
      return rows[0]?.outcome ?? "MISSING";
    });
    return toResult(outcome, version);
  } catch (error) {
    if (error instanceof RuleNotChanged) return error.result;
    throw error;
  }
}

function toResult(outcome: Outcome, version: number): RuleChangeResult | { kind: "DELETED" } {
  switch (outcome) {
    case "DISCARDED":
      return { kind: "DONE" };
    case "DELETED":
      return { kind: "DELETED" };
    case "NOT_LATEST":
      return { kind: "CHANGED", changes: [`Version ${version} is not the latest any more.`] };
    case "IS_ACTIVE":
      return { kind: "CHANGED", changes: [`Version ${version} is active now.`] };
    case "MISSING":
      return { kind: "CHANGED", changes: ["This rule was deleted."] };
  }
}
