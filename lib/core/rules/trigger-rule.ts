import { AppError } from "@/lib/contract/error";
import type { ApiKeyActor, Context } from "@/lib/core/context";
import { requirePermission } from "@/lib/core/keys/permits";
import { findRule, requireReadable } from "@/lib/core/rules/find-rule";
import type { Services } from "@/lib/platform/services";

/**
 * Refuses a trigger, with the reason that comes first (specification, Part 4, "Trigger rules"). This version stores
 * rules and runs none: a live trigger finds no rule that is active, for nothing activates one, and a dry run is
 * answered `INVALID_RULE`, which callers are to treat as a rule that they can read and not run.
 * @throws AppError `RULE_NOT_FOUND`, `ACCESS_DENIED`, `INVALID_RULE`, `RULE_DEACTIVATED`.
 */
export async function triggerRule(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<ApiKeyActor>,
  input: { ruleId: string; simulation: boolean },
): Promise<never> {
  const { rules } = requirePermission(context.actor, "TRIGGER_RULES");
  const row = await findRule(services.pool, context, rules, input.ruleId);
  const rule = requireReadable(row, services.appUrl);
  if (!input.simulation && rule.status === "INACTIVE") {
    throw new AppError(
      "RULE_DEACTIVATED",
      "This rule is not active. A person activates it in the dashboard. Nothing moved.",
    );
  }
  throw new AppError(
    "INVALID_RULE",
    "This version of Sluice stores rules and does not run them yet. Nothing moved.",
  );
}
