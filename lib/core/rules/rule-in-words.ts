import type { DryRunBase } from "@/lib/contract/rules/execution";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { accountsOf } from "@/lib/engine/accounts-of";
import { phrasesText } from "@/lib/engine/words/phrases";
import { ruleSentence, shortageSentence } from "@/lib/engine/words/rule-sentence";
import { baseWords, triggerWords } from "@/lib/engine/words/trigger-words";

/** What readers know an account by. */
type NameOf = (accountId: string) => string;

/** For readers who know accounts by their ids: a name could be anybody's words. */
const byId: NameOf = (accountId) => `account ${accountId}`;

/** A rule in the sentence that its page shows. */
export function ruleInWords(
  rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">,
  nameOf: NameOf = byId,
): string {
  const sentence = phrasesText(ruleSentence(rule, namesOf(accountsOf(rule), nameOf)));
  return `${sentence} ${shortageSentence(rule)}`;
}

/** What sets a rule off, in the same way: `when money arrives in account 019a…`. */
export function triggerInWords(trigger: RuleDefinition["trigger"], nameOf: NameOf = byId): string {
  return phrasesText(triggerWords(trigger, namesOf([trigger.accountId], nameOf)));
}

/** What a dry run was worked out from, in the same way: `the real balance of account 019a…, $100.00`. */
export function baseInWords(base: DryRunBase, nameOf: NameOf = byId): string {
  return baseWords(base, nameOf(base.accountId));
}

function namesOf(accountIds: readonly string[], nameOf: NameOf): AccountNames {
  return Object.fromEntries(
    accountIds.map((id) => [id, { name: nameOf(id), kind: "EXTERNAL_ACCOUNT", isClosed: false }]),
  );
}
