import type { RequestFacts } from "@/lib/platform/observe/request-facts";

declare global {
  // `var` is what a declaration of a global needs. A global for the reasons of `Runtime`.
  var sluicePageRequest: (() => RequestFacts | undefined) | undefined;
}

/** The request that is being answered; undefined outside of one. */
export function currentPageRequest(): RequestFacts | undefined {
  return globalThis.sluicePageRequest?.();
}
