import type { PolicyWhen, Stage } from "@/lib/contract/policies/policy";
import type { Progress, WhyNot } from "@/lib/engine/policies/progress-of";

/** Why a member's signature would not count now. */
export const WHY_NOT_WORDS: Readonly<Record<WhyNot, string>> = {
  SIGNED: "You have signed already; others are still missing.",
  REQUESTER: "You requested this, or made what did, and the policy asks for other people.",
  LATER_STAGE: "You sign after the people of an earlier stage.",
  FULL: "Enough people of your stage have signed.",
  NOT_NAMED: "The policy does not name you for this.",
};

/** A stage in words: `2 of Ana, Ben and Cleo`, `Ana or Ben`. */
export function stageWords(stage: Stage, namesOf: (stage: Stage) => readonly string[]): string {
  return oneOrMore(stage.atLeast, namesOf(stage));
}

interface PaidNovelty {
  name: string;
  /** An account of the organization itself, which was registered. */
  isOwn: boolean;
  novelty: "FIRST" | "CHANGED" | null;
}

/** Why a rule for new or changed payees asks: `Marlow Legal is a new payee`; null: it asks for another reason. */
export function payeeReasonWords(when: PolicyWhen | null, payees: readonly PaidNovelty[]): string | null {
  const news = when?.payee?.includes("NEW") ? payees.filter(({ novelty }) => novelty === "FIRST") : [];
  const [first] = news;
  if (first && news.length > 1) return `${news.length} of those it pays are new`;
  if (first) return first.isOwn ? `${first.name} was never paid` : `${first.name} is a new payee`;
  const changed = when?.payee?.includes("CHANGED")
    ? payees.filter(({ novelty }) => novelty === "CHANGED")
    : [];
  if (changed.length > 1) return `${changed.length} of those it pays have changed`;
  return changed[0] ? `${changed[0].name} has changed since it was last paid` : null;
}

interface Named {
  id: string;
  name: string;
}

/** Whose signatures are missing now: `Ana or Ben`, `2 of Ana, Ben and Cleo`. */
export function missingWords(progress: Progress, people: readonly Named[]): string {
  const groups = progress.requirements.flatMap(({ currentStage, stages, maySign }) => {
    const stage = stages[currentStage ?? -1];
    if (!stage) return [];
    const names = people.filter(({ id }) => maySign.includes(id)).map(({ name }) => name);
    return [oneOrMore(Math.max(1, stage.atLeast - stage.memberIds.length), names)];
  });
  return [...new Set(groups)].join(", and ");
}

function oneOrMore(count: number, names: readonly string[]): string {
  if (names.length < count) return "someone who may sign, and nobody is left";
  if (names.length === count) return joined(names, "and");
  return count === 1 ? joined(names, "or") : `${count} of ${joined(names, "and")}`;
}

function joined(names: readonly string[], word: "and" | "or"): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${word} ${last}`;
}
