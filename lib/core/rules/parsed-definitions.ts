import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";

/** Some megabytes at most. */
const MAXIMUM_KEPT = 2_000;
const kept = new Map<string, RuleDefinition | null>();

/**
 * A stored definition; null for one that this version of Sluice cannot represent. What a text says never changes, so it
 * is read once: a page that looks at hundreds of rules would read them all anew each time. Nobody may change the answer.
 * @param text as JSON
 */
export function parsedDefinition(text: string): RuleDefinition | null {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const definition = ruleDefinitionSchema.safeParse(JSON.parse(text)).data ?? null;
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= MAXIMUM_KEPT) kept.delete(oldest);
  kept.set(text, definition);
  return definition;
}
