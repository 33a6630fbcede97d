import { type RuleDefinition, storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import { inSlices } from "@/lib/platform/slices";

/**
 * Stored definitions of many rules, in slices: a page of large ones takes a quarter of a second, in which others are
 * answered.
 * @returns in their order; null for one that this version of Sluice cannot represent, which must not hide the others
 */
export function readDefinitions(stored: readonly unknown[]): Promise<(RuleDefinition | null)[]> {
  return inSlices(readingDefinitions(stored));
}

function* readingDefinitions(stored: readonly unknown[]): Generator<void, (RuleDefinition | null)[]> {
  const definitions: (RuleDefinition | null)[] = [];
  for (const one of stored) {
    yield;
    definitions.push(storedRuleDefinitionSchema.safeParse(one).data ?? null);
  }
  return definitions;
}
