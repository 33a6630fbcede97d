import { ruleExamplesText } from "@/lib/api/mcp/rule-examples";
import { RULE_GRAMMAR } from "@/lib/api/mcp/rule-grammar";
import { ruleFields, rulePrinciples, ruleSchemaText } from "@/lib/api/mcp/rule-specification";

/** What `getRuleGuide` answers, each a text that a model can keep in mind. */
export const RULE_GUIDE_TOPICS = ["HOW_RULES_RUN", "FIELDS", "EXAMPLES", "JSON_SCHEMA"] as const;
type Topic = (typeof RULE_GUIDE_TOPICS)[number];

const WRITE: Record<Topic, () => string> = {
  HOW_RULES_RUN: () => `${rulePrinciples()}\n## In short\n\n${RULE_GRAMMAR}\n`,
  FIELDS: ruleFields,
  EXAMPLES: ruleExamplesText,
  JSON_SCHEMA: ruleSchemaText,
};

/** One topic of the guide to rules. */
export function ruleGuide(topic: Topic): string {
  return WRITE[topic]();
}
