import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { upcoming } from "@/lib/engine/schedule/occurrences";

/** When a rule's schedule comes round next, after `now`; null where it has none, or it never does again. */
export function nextRun(rule: Pick<RuleDefinition, "trigger">, now: Date): Date | null {
  return nextRuns(rule, now, 1)[0] ?? null;
}

/** Its next `count` times; empty without a schedule. */
export function nextRuns({ trigger }: Pick<RuleDefinition, "trigger">, now: Date, count: number): Date[] {
  return trigger.type === "SCHEDULED" ? upcoming(trigger.schedule, now, count) : [];
}
