import { formatCents } from "@/lib/contract/format-cents";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames, Phrase } from "@/lib/contract/views/rule-parts";
import { accountName } from "@/lib/engine/words/account-name";
import { key, phrasesText, say } from "@/lib/engine/words/phrases";
import { scheduleWords, shortScheduleWords } from "@/lib/engine/words/schedule-words";

type Trigger = RuleDefinition["trigger"];

/** What sets a rule off, as the beginning of a sentence: "when money arrives in **Client payments**". */
export function triggerWords(trigger: Trigger, names: AccountNames): Phrase[] {
  switch (trigger.type) {
    case "MANUAL":
      return [say("when "), key("somebody runs it")];
    case "SCHEDULED":
      return scheduleWords(trigger.schedule);
    case "ON_FUNDS_TRANSFERRED": {
      const account = key(accountName(names, trigger.accountId));
      // Of zero every arrival is enough.
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

/** The same in fewer words, without zone and start: `every Friday at 17:00`. */
export function shortTriggerWords(trigger: Trigger, names: AccountNames): string {
  if (trigger.type === "SCHEDULED") return shortScheduleWords(trigger.schedule);
  return phrasesText(triggerWords(trigger, names));
}
