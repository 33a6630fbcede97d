import { formatCents } from "@/lib/contract/format-cents";
import type { DryRunBase } from "@/lib/contract/rules/execution";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames, Phrase } from "@/lib/contract/rules/rule-parts";
import { accountName } from "@/lib/words/rules/number-words";
import { key, phrasesText, say } from "@/lib/words/rules/phrases";
import { scheduleWords, shortScheduleWords } from "@/lib/words/rules/schedule-words";

type Trigger = RuleDefinition["trigger"];

/** A rule's trigger, as the start of a sentence: "when money arrives in **Client payments**". */
export function triggerWords(trigger: Trigger, names: AccountNames): Phrase[] {
  switch (trigger.type) {
    case "MANUAL":
      return [say("when "), key("someone runs it")];
    case "SCHEDULED":
      return scheduleWords(trigger.schedule);
    case "ON_FUNDS_TRANSFERRED": {
      const account = key(accountName(names, trigger.accountId));
      // With a minimum of zero, every deposit counts.
      return trigger.minimumAmountInCents
        ? [
            say("when "),
            key(`${formatCents(trigger.minimumAmountInCents)} or more`),
            say(" arrives in "),
            account,
          ]
        : [say("when money arrives in "), account];
    }
  }
}

/** The same, shorter, without zone and start: `every Friday at 5:00 PM`. */
export function shortTriggerWords(trigger: Trigger, names: AccountNames): string {
  if (trigger.type === "SCHEDULED") return shortScheduleWords(trigger.schedule);
  return phrasesText(triggerWords(trigger, names));
}

/**
 * What no longer happens once a rule is stopped: "new deposits stay where they arrive".
 * @param trigger undefined where the rule cannot be read
 */
export function stoppedWords(trigger: Trigger | undefined): string {
  switch (trigger?.type) {
    case "ON_FUNDS_TRANSFERRED":
      return "new deposits stay where they arrive";
    case "SCHEDULED":
      return "it no longer runs on its schedule";
    case "MANUAL":
      return "nobody and no program can run it";
    case undefined:
      return "nothing runs it anymore";
  }
}

/**
 * The base of a dry run: "the real balance of Operating plus a deposit of $1,950.00, $16,763.15 in total".
 * @param account the name of the trigger's account
 */
export function baseWords(base: DryRunBase, account: string): string {
  const { kind, availableInCents, simulatedIncomingFundsInCents: arriving } = base;
  const total = availableInCents === null ? null : formatCents(availableInCents);
  const added = arriving ? ` plus a deposit of ${formatCents(arriving)}` : "";
  if (kind === "REAL_BALANCE") {
    const together = total === null ? "" : `, ${total}${added && " in total"}`;
    return `the real balance of ${account}${added}${together}`;
  }
  const within = arriving ? `, including a deposit of ${formatCents(arriving)}` : "";
  return `${total ?? "a balance"} in ${account}, instead of its real balance${within}`;
}
