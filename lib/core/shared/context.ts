import type { MemberRole } from "@/lib/contract/members";
import type { Permission } from "@/lib/contract/permissions";

/** A program with an API key; its permissions are those read for this very request. */
export interface ApiKeyActor {
  kind: "API_KEY";
  id: string;
  name: string;
  permissions: readonly Permission[];
}

/**
 * An assistant that a member connected in a browser (OAuth). Its permissions follow from the role that the member has
 * at this very request; what it asks for always needs an approval (specification, Part 5, "MCP server").
 */
export interface AssistantActor {
  kind: "ASSISTANT";
  /** Of the connection: the OAuth grant. */
  id: string;
  /** The client's name, as it calls itself. */
  name: string;
  permissions: readonly Permission[];
  memberId: string;
  role: MemberRole;
}

/** Whoever calls the API's operations, over HTTP or MCP. */
export type CallerActor = ApiKeyActor | AssistantActor;

/** A signed-in person, with the role read for this very request. */
export interface MemberActor {
  kind: "MEMBER";
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  sessionId: string;
  /** Real time of the sign-in. */
  authenticatedAt: Date;
}

export type Actor = CallerActor | MemberActor;

/** Who does what, where and when: the argument of every core verb. */
export interface Context<A extends Actor = Actor> {
  organizationId: string;
  actor: A;
  /** Business time of the organization at the start of this request. */
  now: Date;
  requestId: string;
  /** What the caller said in `x-called-reason`. */
  calledReason: string | null;
}

/** A request as its caller sent it, without the credential: kept with a proposal and shown to its approver. */
export interface SentRequest {
  method: string;
  path: string;
  idempotencyKey: string | null;
  calledReason: string | null;
  body: unknown;
}
