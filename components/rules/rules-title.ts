import type { RulesView } from "@/lib/contract/views/rules-view";
import { numberWords } from "@/lib/engine/words/number-words";
import { capitalized } from "@/lib/engine/words/phrases";

/** The title of the list as a statement: "Five rules route your money". */
export function rulesTitle({ counts }: Pick<RulesView, "counts">): string {
  const activeCount = counts.ACTIVE;
  if (activeCount + counts.PAUSED + counts.INACTIVE === 0) return "No rules yet";
  if (activeCount === 0) return "No rule is active";
  if (activeCount === 1) return "One rule routes your money";
  return `${capitalized(numberWords(activeCount))} rules route your money`;
}
