import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";

/** Some megabytes at most. */
const MAXIMUM_KEPT = 2_000;
const kept = new Map<string, RuleDefinition["steps"]>();

/**
 * The steps of a stored definition, none of one that this version of Sluice cannot represent. What a text says never
 * changes, so it is read once: a page that looks at hundreds of rules would read them all anew each time.
 */
export function stepsOf(definition: string): RuleDefinition["steps"] {
  const known = kept.get(definition);
  if (known) return known;
  const steps = ruleDefinitionSchema.safeParse(JSON.parse(definition)).data?.steps ?? [];
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= MAXIMUM_KEPT) kept.delete(oldest);
  kept.set(definition, steps);
  return steps;
}
