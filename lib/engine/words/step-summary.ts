import { destinationsOf } from "@/lib/contract/rules/destinations-of";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { accountName } from "@/lib/engine/words/account-name";
import { actionWords } from "@/lib/engine/words/action-words";
import { joinWords } from "@/lib/engine/words/phrases";
import { groupsOf } from "@/lib/engine/words/step-actions";

/** What a step does, as drawings and diffs say it beside others: `27% to Taxes, the rest to Operating`. */
export function stepSummary(
  { steps, limits }: Pick<RuleDefinition, "steps" | "limits">,
  stepIndex: number,
  names: AccountNames,
): string {
  return groupsOf(steps[stepIndex]?.actions ?? [])
    .flat()
    .map(({ action }) => {
      const to = joinWords(destinationsOf(action).map((id) => accountName(names, id)));
      return `${actionWords(action, limits)} to ${to}`;
    })
    .join(", ");
}
