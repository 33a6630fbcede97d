interface Named {
  id: string;
  name: string;
}

/** A tab shows one organization, and its session looks at another by now. */
export interface ElsewhereView {
  /** On the screen. Null: not, or no longer, one of this member's. */
  shown: Named | null;
  /** Chosen since, in another tab. */
  current: Named;
}

/**
 * Of a poll's answer 409. By hand, as `parseLiveView`.
 * @throws Error when the answer is of another shape
 */
export function parseElsewhere(answer: unknown): ElsewhereView {
  const { shown, current } = Object(answer);
  const parsedCurrent = parseNamed(current);
  if (!parsedCurrent) throw new Error("The answer names no organization");
  return { shown: parseNamed(shown), current: parsedCurrent };
}

function parseNamed(given: unknown): Named | null {
  const { id, name } = Object(given);
  return typeof id === "string" && typeof name === "string" ? { id, name } : null;
}
