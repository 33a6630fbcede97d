import { EXAMPLE_ACCOUNTS, RULE_EXAMPLES, type RuleExample } from "@/lib/api/mcp/resources/rule-examples";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { ruleInWords } from "@/lib/core/rules/rule-in-words";

/** Every example with what it does in words, and as `createRule` takes it. */
export function ruleExamplesText(): string {
  const accounts = EXAMPLE_ACCOUNTS.map(
    ({ id, name, isWhat }) => `- \`${id}\` stands for ${name}, ${isWhat}.`,
  );
  return [
    "# Rules that work",
    "Put ids from `listAccounts` in the place of these, ask the person for amounts and shares, and choose a `startAt` that lies ahead.",
    accounts.join("\n"),
    ...RULE_EXAMPLES.map(exampleText),
    "",
  ].join("\n\n");
}

function exampleText({ title, definition }: RuleExample): string {
  return [
    `## ${title}`,
    ruleInWords(ruleDefinitionSchema.parse(definition), nameOf),
    `\`\`\`json\n${JSON.stringify(definition, null, 2)}\n\`\`\``,
  ].join("\n\n");
}

const nameOf = (accountId: string) => EXAMPLE_ACCOUNTS.find(({ id }) => id === accountId)?.name ?? accountId;
