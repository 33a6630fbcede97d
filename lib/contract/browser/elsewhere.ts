interface Named {
  id: string;
  name: string;
}

/** A tab shows one member or organization while the session has become another's. */
export type ElsewhereView =
  | {
      kind: "ORGANIZATION";
      /** On screen. Null: not an organization of this member, or not any longer. */
      shown: Named | null;
      /** Chosen since, in another tab. */
      current: Named;
      /** What a form for switching back sends (`SHOWN_FIELD`). */
      sends: string;
    }
  /** Signed in since, in another tab. Nothing tells who the tab showed: the session may no longer know. */
  | { kind: "PERSON"; name: string };

/** Why a tab that shows another member can do nothing. */
export function signedInAs(name: string): string {
  return `You are signed in as ${name} now. Look again.`;
}

/**
 * Parses a poll's 409 answer by hand, like `parseLiveView`.
 * @throws Error for any other shape
 */
export function parseElsewhere(answer: unknown): ElsewhereView {
  const { kind, shown, current, sends, name } = Object(answer);
  if (kind === "PERSON" && typeof name === "string") return { kind, name };
  const parsedCurrent = parseNamed(current);
  if (!parsedCurrent) throw new Error("The answer names neither an organization nor a person");
  return {
    kind: "ORGANIZATION",
    shown: parseNamed(shown),
    current: parsedCurrent,
    sends: typeof sends === "string" ? sends : "",
  };
}

function parseNamed(given: unknown): Named | null {
  const { id, name } = Object(given);
  return typeof id === "string" && typeof name === "string" ? { id, name } : null;
}
