import type { IncomingMessage } from "node:http";
import { newRequestId } from "@/lib/platform/ids";

/** What is told of a request when it has ended: nothing in it is a secret, an amount, a name or a reason. */
export interface RequestFacts {
  /** The same in the answer and in every line of the log. */
  requestId: string;
  /** The pattern of the address, e.g. `/transfers/{id}`: an address itself may hold the secret of an invitation. */
  route?: string;
  /** An operation, or what was asked of the MCP server. */
  operation?: string;
  organizationId?: string;
  /** Who asked, as far as it is known. */
  actor?: { kind: string; id: string };
}

/** What the launcher hands to a door besides the request; a door that is called without it tells nobody. */
export interface RequestBindings {
  facts?: RequestFacts;
  /** The request as Node's server has it, whose body is read from there. */
  incoming?: IncomingMessage;
}

export function newFacts(): RequestFacts {
  return { requestId: newRequestId() };
}

/** Notes whose request it is. */
export function noteCaller(
  facts: RequestFacts,
  caller: { organizationId: string; actor: { kind: string; id: string } },
): void {
  facts.organizationId = caller.organizationId;
  facts.actor = { kind: caller.actor.kind, id: caller.actor.id };
}
