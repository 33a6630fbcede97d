import type { RuleChangeResult } from "@/lib/contract/views/rule-change";
import { MAY_NOT, ruleEvent } from "@/lib/core/rules/confirmed-rule-change";
import { lockRule, RuleNotChanged } from "@/lib/core/rules/lock-rule";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Deletes a rule of which no version is active. Its versions and runs stay readable. */
export async function deleteRule(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  ruleId: string,
): Promise<RuleChangeResult> {
  if (!mayDecide(context.actor)) return MAY_NOT;
  try {
    await inTransaction(services.pool, async (client) => {
      const { activeVersion, latestVersion } = await lockRule(client, context, ruleId);
      if (activeVersion !== null) {
        throw new RuleNotChanged({
          kind: "CHANGED",
          changes: [`Version ${activeVersion} is active. Deactivate it first.`],
        });
      }
      const event = ruleEvent(context, { ruleId, version: latestVersion }, null);
      await client.query("select delete_rule($1)", [JSON.stringify(event)]);
    });
    return { kind: "DONE" };
  } catch (error) {
    if (error instanceof RuleNotChanged) return error.result;
    throw error;
  }
}
