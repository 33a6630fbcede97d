import type { RuleDefinition } from "@/lib/contract/rules/rule";

/** When a rule's schedule comes round next, after `now`; null where it has none, or it never does again. */
export function nextRun({ trigger }: Pick<RuleDefinition, "trigger">, now: Date): Date | null {
  if (trigger.type !== "SCHEDULED") return null;
  const startAt = new Date(trigger.schedule.startAt);
  return startAt > now ? startAt : null;
}
