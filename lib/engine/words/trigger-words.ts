import { formatCents } from "@/lib/contract/format-cents";
import type { DryRunBase } from "@/lib/contract/rules/execution";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames, Phrase } from "@/lib/contract/views/rule-parts";
import { accountName } from "@/lib/engine/words/number-words";
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

/**
 * What a dry run was worked out from: "the real balance of Operating and $1,950.00 that would arrive, $16,763.15 together".
 * @param account what the trigger's account is called
 */
export function baseWords(base: DryRunBase, account: string): string {
  const { kind, availableInCents, simulatedIncomingFundsInCents: arriving } = base;
  const total = availableInCents === null ? null : formatCents(availableInCents);
  const added = arriving ? ` and ${formatCents(arriving)} that would arrive` : "";
  if (kind === "REAL_BALANCE") {
    const together = total === null ? "" : `, ${total}${added && " together"}`;
    return `the real balance of ${account}${added}${together}`;
  }
  const within = arriving ? `, ${formatCents(arriving)} of it arriving` : "";
  return `${total ?? "a balance"} in ${account}, given instead of its real balance${within}`;
}
