import type { IncomingMessage } from "node:http";
import type { RequestFacts } from "@/lib/platform/observe/request-facts";

/** A door that takes a request of the web platform gets the facts of the one that it was made from. */
const kept = new WeakMap<object, RequestFacts>();

export function keepFacts(request: IncomingMessage, facts: RequestFacts): void {
  kept.set(request, facts);
}

/** Undefined for a request that did not come through the launcher (tests). */
export function factsOf(request: object): RequestFacts | undefined {
  return kept.get(request);
}
