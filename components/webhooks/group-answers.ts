import type { AttemptView } from "@/lib/contract/views/webhooks-view";

/** Attempts in a row that were answered alike. */
export interface AnswerGroup extends Pick<AttemptView, "statusCode" | "problem" | "answer"> {
  first: number;
  last: number;
}

/**
 * What was answered, each answer once with the attempts in a row that got it, newest first: eight times the same page
 * of an unwell proxy reads as one thing.
 */
export function groupAnswers(history: readonly AttemptView[]): AnswerGroup[] {
  const groups: AnswerGroup[] = [];
  for (const { number, statusCode, problem, answer } of history) {
    const group = groups[0];
    const isSame =
      group !== undefined &&
      group.statusCode === statusCode &&
      group.problem === problem &&
      group.answer === answer;
    if (isSame) group.last = number;
    else groups.unshift({ statusCode, problem, answer, first: number, last: number });
  }
  return groups;
}

/** `Attempt 3`, `Attempts 1 and 2`, `Attempts 1 to 4`. */
export function groupWords({ first, last }: Pick<AnswerGroup, "first" | "last">): string {
  if (first === last) return `Attempt ${first}`;
  return `Attempts ${first} ${last === first + 1 ? "and" : "to"} ${last}`;
}
