import type { RuleAction } from "@/lib/contract/rules/action";
import type { LinkedRule } from "@/lib/contract/rules/activation-check";
import { destinationsOf } from "@/lib/contract/rules/destinations-of";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

/** An active rule, as far as money joins it to others. One that this version cannot represent moves nothing: no steps. */
export interface JoinedRule {
  id: string;
  name: string;
  trigger: { type: RuleDefinition["trigger"]["type"]; accountId: string };
  steps: readonly { actions: readonly RuleAction[] }[];
}

/** The accounts that a rule may send money to, in any of its steps, each once. */
export function destinations(rule: Pick<JoinedRule, "steps">): string[] {
  return [...new Set(rule.steps.flatMap((step) => step.actions.flatMap(destinationsOf)))];
}

/** The rules of `others` that act on money which `rule` sends. */
export function setsOff(rule: JoinedRule, others: readonly JoinedRule[]): JoinedRule[] {
  const reached = new Set(destinations(rule));
  return others.filter((other) => actsOnArrivals(other) && reached.has(other.trigger.accountId));
}

export function actsOnArrivals(rule: Pick<JoinedRule, "trigger">): boolean {
  return rule.trigger.type === "ON_FUNDS_TRANSFERRED";
}

/**
 * The shortest way on which money that sets `rule` off comes back to set it off again, through any of `others`. Whether
 * conditions and minimums would ever let it is not asked: nobody could say so for all times, and a loop that a balance
 * happens to break is still a loop.
 * @returns from `rule` on, each with the account whose arrivals set off the next; empty when there is none
 */
export function findCycle(rule: JoinedRule, others: readonly JoinedRule[]): LinkedRule[] {
  if (!actsOnArrivals(rule)) return [];
  const byAccount = new Map<string, JoinedRule[]>();
  for (const joined of [rule, ...others].filter(actsOnArrivals)) {
    const { accountId } = joined.trigger;
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), joined]);
  }
  const cameFrom = new Map<JoinedRule, JoinedRule>();
  // Each rule is looked at once, so the walk ends however many there are.
  const waiting: JoinedRule[] = [rule];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const reached of destinations(next).flatMap((accountId) => byAccount.get(accountId) ?? [])) {
      if (reached === rule) return wayTo(next, cameFrom, rule);
      if (cameFrom.has(reached)) continue;
      cameFrom.set(reached, next);
      waiting.push(reached);
    }
  }
  return [];
}

function wayTo(last: JoinedRule, cameFrom: ReadonlyMap<JoinedRule, JoinedRule>, rule: JoinedRule) {
  const way: LinkedRule[] = [];
  let after = rule;
  for (let at: JoinedRule | undefined = last; at; at = cameFrom.get(at)) {
    way.unshift({ id: at.id, name: at.name, accountId: after.trigger.accountId });
    after = at;
  }
  return way;
}
