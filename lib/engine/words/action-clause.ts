import { formatCents } from "@/lib/contract/format-cents";
import type { RuleAction } from "@/lib/contract/rules/action";
import { destinationsOf } from "@/lib/contract/rules/destinations-of";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { Phrase } from "@/lib/contract/views/rule-parts";
import { accountName } from "@/lib/engine/words/account-name";
import { isStrict } from "@/lib/engine/words/action-words";
import { incomingWords, type WordsSetting } from "@/lib/engine/words/condition-words";
import { findLimit, limitWords } from "@/lib/engine/words/limit-words";
import { percentWords } from "@/lib/engine/words/number-words";
import { joinWords, key, say } from "@/lib/engine/words/phrases";

/** One action as a clause of the rule's sentence; a verb that the clause before it has is not said again. */
export interface Clause {
  verb: "send" | "fill" | "pay" | "put";
  phrases: Phrase[];
}

/** What the sentence has named so far, so that it is named again only where it changes. */
export interface Said {
  /** Null: no account that money comes from. */
  sourceAccountId: string | null;
  /** What the percentages before are of; null: none yet in this sentence. */
  base: string | null;
  /** Whether an action of the step came before: else nothing is "the rest". */
  hasBegun: boolean;
}

export interface ClauseSetting extends WordsSetting {
  limits: RuleDefinition["limits"];
  /** Limits that several actions share. */
  sharedLimitIds: ReadonlySet<string>;
}

/** Tells one action; `said` follows it. */
export function actionClause(action: RuleAction, setting: ClauseSetting, said: Said): Clause {
  const clause = bareClause(action, setting, said);
  said.sourceAccountId = action.sourceAccountId;
  said.hasBegun = true;
  clause.phrases.push(...limitPhrases(action, setting));
  return clause;
}

function bareClause(action: RuleAction, setting: ClauseSetting, said: Said): Clause {
  const source = accountName(setting.names, action.sourceAccountId);
  const from = said.sourceAccountId === action.sourceAccountId ? "" : ` from ${source}`;
  const orLess = action.upTo && isStrict(action.type) ? " (or what is there)" : "";
  const to = joinWords(destinationsOf(action).map((id) => accountName(setting.names, id)));
  const send = (...phrases: Phrase[]): Clause => ({ verb: "send", phrases: [...phrases, say(` to ${to}`)] });
  const pay = (what: string, on: string): Clause => ({
    verb: "pay",
    phrases: [key(what), say(`${orLess} ${on} ${to}${from}`)],
  });
  switch (action.type) {
    case "FIXED":
      return send(key(formatCents(action.amountInCents)), say(`${orLess}${from}`));
    case "PERCENTAGE":
      return shareClause(action, setting, said, orLess);
    case "TOP_UP":
      return {
        verb: "fill",
        phrases: [say(`${to} up to `), key(formatCents(action.amountInCents)), say(from)],
      };
    case "ROUND_DOWN":
      return send(key(`what ${source} holds above a multiple of ${formatCents(action.amountInCents)}`));
    case "REMAINDER":
      if (action.keepInCents === 0) {
        return said.hasBegun
          ? send(key("the rest"), say(` of ${source}`))
          : send(key(`everything in ${source}`));
      }
      return send(key(`what ${source} holds above ${formatCents(action.keepInCents)}`));
    case "NEXT_PAYMENT_MINIMUM":
      return pay("the next minimum payment", "of");
    case "LAST_STATEMENT_BALANCE":
      return pay("the last statement", "of");
    case "TOTAL_AMOUNT_DUE":
      return pay("everything that is owed", "on");
    case "PERCENTAGE_OF_LIABILITY":
      return pay(`${percentWords(action.percentage)} of what is owed`, "on");
    case "SNOWBALL":
    case "AVALANCHE":
      return {
        verb: "put",
        phrases: [
          key(formatCents(action.amountInCents)),
          say(`${orLess}${from} towards ${to}`),
          ...orderPhrases(action),
        ],
      };
  }
}

/** The base is said with the first share of a sentence and where it changes: "27% of the amount that arrived". */
function shareClause(
  action: Extract<RuleAction, { type: "PERCENTAGE" }>,
  setting: ClauseSetting,
  said: Said,
  orLess: string,
): Clause {
  const source = accountName(setting.names, action.sourceAccountId);
  const to = ` to ${accountName(setting.names, action.destinationAccountId)}`;
  const share = key(percentWords(action.percentage));
  const isOfBalance = action.of === "SOURCE_BALANCE";
  const base = isOfBalance ? `balance ${action.sourceAccountId}` : "incoming";
  const isBaseSaid = said.base === base;
  said.base = base;
  if (isOfBalance) {
    const words = isBaseSaid ? "" : ` of what ${source} has available`;
    return { verb: "send", phrases: [share, say(`${words}${orLess}${to}`)] };
  }
  const isNamed =
    setting.trigger.type === "SCHEDULED" && setting.trigger.accountId === action.sourceAccountId;
  const isSameSource = isNamed || said.sourceAccountId === action.sourceAccountId;
  // "50% from Operating" alone would read as a share of Operating, so the amount is said again with its source.
  const words = isBaseSaid && isSameSource ? "" : ` of ${incomingBaseWords(setting)}`;
  const from = isSameSource ? "" : `, taken from ${source},`;
  return { verb: "send", phrases: [share, say(`${words}${from}${orLess}${to}`)] };
}

/** The incoming amount as what shares are of: one word shorter than where it is compared. */
function incomingBaseWords(setting: ClauseSetting): string {
  return setting.trigger.type === "ON_FUNDS_TRANSFERRED" ? "what arrived" : incomingWords(setting);
}

function orderPhrases(action: Extract<RuleAction, { type: "SNOWBALL" | "AVALANCHE" }>): Phrase[] {
  if (new Set(action.destinationAccountIds).size === 1) return [];
  const order = action.type === "SNOWBALL" ? "smallest debt first" : "highest interest rate first";
  return [say(" ("), key(order), say(")")];
}

function limitPhrases(action: RuleAction, { limits, sharedLimitIds }: ClauseSetting): Phrase[] {
  const limit = findLimit(limits, action.limitId);
  if (!limit) return [];
  const words = key(limitWords(limit));
  if (limit.period === "TRANSFER" || !sharedLimitIds.has(limit.id)) return [say(" but at most "), words];
  // Two shared limits of one size would read as one; their numbers tell them apart.
  const shared = limits.filter(({ id, period }) => period !== "TRANSFER" && sharedLimitIds.has(id));
  const number = shared.length > 1 ? ` ${shared.indexOf(limit) + 1}` : "";
  return [say(` within the shared limit${number} of `), words];
}

/** Clauses as one list: `send 27% to Taxes, 30% to Payroll, and pay the last statement of Summit Visa`. */
export function joinClauses(clauses: readonly Clause[]): Phrase[] {
  const isOneVerb = clauses.every(({ verb }) => verb === clauses[0]?.verb);
  const comma = clauses.length > 2 || !isOneVerb ? "," : "";
  return clauses.flatMap(({ verb, phrases }, index) => {
    const before = clauses[index - 1];
    const spoken = before?.verb === verb ? phrases : [say(`${verb} `), ...phrases];
    if (!before) return spoken;
    return [say(index === clauses.length - 1 ? `${comma} and ` : ", "), ...spoken];
  });
}
