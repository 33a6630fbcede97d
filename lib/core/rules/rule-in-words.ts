import type { DryRunBase } from "@/lib/contract/rules/execution";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { accountsOf } from "@/lib/engine/accounts-of";
import { phrasesText } from "@/lib/words/rules/phrases";
import { ruleSentence, shortageSentence } from "@/lib/words/rules/rule-sentence";
import { baseWords, triggerWords } from "@/lib/words/rules/trigger-words";

/** How readers identify an account. */
type NameOf = (accountId: string) => string;

/** For agents: names are untrusted text, so accounts appear by id. */
const byId: NameOf = (accountId) => `account ${accountId}`;

/** A rule as the sentence on its page. */
export function ruleInWords(
  rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">,
  nameOf: NameOf = byId,
): string {
  const sentence = phrasesText(ruleSentence(rule, namesOf(accountsOf(rule), nameOf)));
  return `${sentence} ${shortageSentence(rule)}`;
}

/** A rule's trigger: `when money arrives in account 019a…`. */
export function triggerInWords(trigger: RuleDefinition["trigger"], nameOf: NameOf = byId): string {
  return phrasesText(triggerWords(trigger, namesOf([trigger.accountId], nameOf)));
}

/** The base of a dry run: `the real balance of account 019a…, $100.00`. */
export function baseInWords(base: DryRunBase, nameOf: NameOf = byId): string {
  return baseWords(base, nameOf(base.accountId));
}

function namesOf(accountIds: readonly string[], nameOf: NameOf): AccountNames {
  return Object.fromEntries(
    accountIds.map((id) => [id, { name: nameOf(id), kind: "EXTERNAL_ACCOUNT", isClosed: false }]),
  );
}
