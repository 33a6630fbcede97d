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

export const CHANGE_UNKNOWN = outcomeUnknown(
  "the change may or may not have happened. Reload the page to check.",
);
