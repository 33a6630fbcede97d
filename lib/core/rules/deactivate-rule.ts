import type { RuleActInput, RuleChangeResult } from "@/lib/contract/views/rule-change";
import { confirmedRuleChange } from "@/lib/core/rules/confirmed-rule-change";
import { RuleNotChanged } from "@/lib/core/rules/lock-rule";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/**
 * Stops a rule: no version of it runs live any more. Runs that are under way carry their plan out.
 * @param input its version is the active one, as it was shown
 */
export function deactivateRule(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">,
  context: Context<MemberActor>,
  input: RuleActInput & { act: "DEACTIVATE" },
): Promise<RuleChangeResult> {
  return confirmedRuleChange(services, context, input, async (client, rule, event) => {
    if (rule.activeVersion !== input.version) {
      const now = rule.activeVersion === null ? "No version is" : `Version ${rule.activeVersion} is`;
      throw new RuleNotChanged({ kind: "CHANGED", changes: [`${now} active now.`] });
    }
    await client.query("select deactivate_rule($1)", [JSON.stringify(event)]);
  });
}
