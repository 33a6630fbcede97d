import type { RuleActInput, RuleChangeResult } from "@/lib/contract/views/rule-change";
import { confirmedRuleChange } from "@/lib/core/rules/confirmed-rule-change";
import { RuleNotChanged } from "@/lib/core/rules/lock-rule";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/**
 * Lets a rule run again that a return of money had paused. What arrived meanwhile is not made up.
 * @param input its version is the active one, as it was shown
 */
export function resumeRule(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log" | "authenticatorSecrets">,
  context: Context<MemberActor>,
  input: RuleActInput & { act: "RESUME" },
): Promise<RuleChangeResult> {
  return confirmedRuleChange(services, context, input, async (client, rule, event) => {
    if (rule.activeVersion !== input.version || !rule.isPaused) {
      const now = rule.activeVersion === null ? "No version is active now." : "It is not paused any more.";
      const changes = [
        rule.activeVersion !== null && rule.activeVersion !== input.version
          ? `Version ${rule.activeVersion} is active now.`
          : now,
      ];
      throw new RuleNotChanged({ kind: "CHANGED", changes });
    }
    await client.query("select resume_rule($1)", [JSON.stringify(event)]);
  });
}
