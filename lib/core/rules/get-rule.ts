import type { Rule } from "@/lib/contract/rules/rule";
import { findRule, requireReadable } from "@/lib/core/rules/find-rule";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/**
 * A rule in its latest version, with steps, conditions and actions.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `INVALID_RULE`.
 */
export async function getRule(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  ruleId: string,
): Promise<Rule> {
  const { rules } = requirePermission(context.actor, "READ_RULES");
  return requireReadable(await findRule(services.pool, context, rules, ruleId), services.appUrl);
}
