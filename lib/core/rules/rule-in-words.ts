import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { accountsOf } from "@/lib/engine/accounts-of";
import { phrasesText } from "@/lib/engine/words/phrases";
import { ruleSentence, shortageSentence } from "@/lib/engine/words/rule-sentence";
import { triggerWords } from "@/lib/engine/words/trigger-words";

/**
 * A rule in the sentence that its page shows, for readers who know accounts by their ids: a name could be anybody's words.
 */
export function ruleInWords(rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">): string {
  const sentence = phrasesText(ruleSentence(rule, byId(accountsOf(rule))));
  return `${sentence} ${shortageSentence(rule)}`;
}

/** What sets a rule off, in the same way: `when money arrives in account 019a…`. */
export function triggerInWords(trigger: RuleDefinition["trigger"]): string {
  return phrasesText(triggerWords(trigger, byId([trigger.accountId])));
}

function byId(accountIds: readonly string[]): AccountNames {
  return Object.fromEntries(
    accountIds.map((id) => [id, { name: `account ${id}`, kind: "EXTERNAL_ACCOUNT", isClosed: false }]),
  );
}
