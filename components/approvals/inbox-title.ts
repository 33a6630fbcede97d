const WORDS = ["Nothing", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** The title of the inbox as a statement: "Three proposals wait for you". */
export function inboxTitle(waitingCount: number, canDecide: boolean): string {
  const forWhom = canDecide ? "for you" : "for approval";
  if (waitingCount === 0) return `Nothing waits ${forWhom}`;
  if (waitingCount === 1) return `One proposal waits ${forWhom}`;
  return `${WORDS[waitingCount] ?? waitingCount} proposals wait ${forWhom}`;
}
