import type { Refused } from "@/lib/contract/refused";

const LOST = "Sluice did not answer";

/**
 * No answer, and nothing was sent that could have changed something.
 * @param sentences `Nothing moved. Try again.`
 */
export function nothingSent(sentences: string): Refused {
  return { kind: "REFUSED", message: `${LOST}. ${sentences}` };
}

/**
 * No answer to a request that may have arrived, so this must not claim that nothing happened.
 * @param sentences what is unknown, and what to do: `it may or may not be saved. Reload the page to check.`
 */
export function outcomeUnknown(sentences: string): Refused {
  return { kind: "REFUSED", message: `${LOST}, so ${sentences}` };
}

/** The page's scripts are those of an earlier build. The server did not run what they sent. */
const UPDATED: Refused = { kind: "REFUSED", message: "Sluice was updated. Reload this page." };

/** Whether the server did not know the action: the page was loaded before an upgrade, and nothing was run. */
export const isUnknownAction = (error: unknown): boolean => isNamed(error, "UnrecognizedActionError");

/**
 * Whether an error comes of a page that was loaded before an upgrade: also where a part of its scripts is gone, which
 * says nothing about what was sent.
 */
export const isOfAnotherBuild = (error: unknown): boolean =>
  isUnknownAction(error) || isNamed(error, "ChunkLoadError");

const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;

/** What to say of a request that threw. @param whenLost where no answer came */
export function whenThrown(error: unknown, whenLost: Refused): Refused {
  return isUnknownAction(error) ? UPDATED : whenLost;
}

export const CHANGE_UNKNOWN = outcomeUnknown(
  "the change may or may not have happened. Reload the page to check.",
);
