import type { IncomingMessage, ServerResponse } from "node:http";
import { newRequestId } from "@/lib/platform/ids";

/** What is reported about a finished request: never a secret, an amount, a name or a reason. */
export interface RequestFacts {
  /** The same in the response and in every line of the log. */
  requestId: string;
  /** The pattern of the address, such as `/transfers/{id}`: the address itself may hold an invitation's secret. */
  route?: string;
  /** An operation, or the method of the MCP request. */
  operation?: string;
  organizationId?: string;
  /** The caller, as far as known. */
  actor?: { kind: string; id: string };
}

/** What the launcher passes to a transport with the request; without it, nothing is reported. */
export interface RequestBindings {
  facts?: RequestFacts;
  /** The request of Node's server; its body is read from there. */
  incoming?: IncomingMessage;
  /** Its response; what is written there needs no web `Response`. */
  outgoing?: ServerResponse;
}

export function newFacts(): RequestFacts {
  return { requestId: newRequestId() };
}

/** Records whose request it is. */
export function noteCaller(
  facts: RequestFacts,
  caller: { organizationId: string; actor: { kind: string; id: string } },
): void {
  facts.organizationId = caller.organizationId;
  facts.actor = { kind: caller.actor.kind, id: caller.actor.id };
}

/** Transports built on web `Request` find the facts of the request they were made from. */
const kept = new WeakMap<object, RequestFacts>();

export function keepFacts(request: IncomingMessage, facts: RequestFacts): void {
  kept.set(request, facts);
}

/** Undefined for a request that did not come through the launcher (tests). */
export function factsOf(request: object): RequestFacts | undefined {
  return kept.get(request);
}
