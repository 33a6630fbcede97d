import type { MemberRole } from "@/lib/contract/members";
import type { Permission } from "@/lib/contract/permissions";

/** A program with an API key; its permissions are read for this request. */
export interface ApiKeyActor {
  kind: "API_KEY";
  id: string;
  name: string;
  permissions: readonly Permission[];
}

/**
 * An assistant that a member connected in a browser (OAuth). Its permissions follow from the member's current role; what
 * it proposes always needs approval (specification, Part 5, "MCP server").
 */
export interface AssistantActor {
  kind: "ASSISTANT";
  /** The id of the connection: the OAuth grant. */
  id: string;
  /** The client's self-declared name. */
  name: string;
  permissions: readonly Permission[];
  memberId: string;
  role: MemberRole;
}

/** The caller of an API operation, over HTTP or MCP. */
export type CallerActor = ApiKeyActor | AssistantActor;

/** A signed-in person, with the role read for this request. */
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

/** Who acts, in which organization and when: the argument of every core command. */
export interface Context<A extends Actor = Actor> {
  organizationId: string;
  actor: A;
  /** Business time of the organization at the start of this request. */
  now: Date;
  requestId: string;
  /** The caller's `x-called-reason`. */
  calledReason: string | null;
}

/** A request as its caller sent it, without the credential: stored with a proposal and shown to its approver. */
export interface SentRequest {
  method: string;
  path: string;
  idempotencyKey: string | null;
  calledReason: string | null;
  body: unknown;
}
