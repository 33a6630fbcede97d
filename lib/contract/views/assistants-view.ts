import type { MemberRole } from "@/lib/contract/members";
import type { RequesterView } from "@/lib/contract/views/approval-view";
import type { RevocationEffectView } from "@/lib/contract/views/keys-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/**
 * State of an assistant's connection. `CLIENT`: it revoked its own access. `REUSE`: a copied token was used.
 * `EXPIRED`: it did not refresh in time.
 */
export type AssistantStateView =
  | { kind: "CONNECTED" }
  | {
      kind: "ENDED";
      at: string;
      because: "MEMBER" | "OPERATOR" | "CLIENT" | "REUSE" | "EXPIRED";
      byName: string | null;
    };

/** What it may do with its member's current role. `NOTHING`: the member has left. */
export type AssistantPower = "ASKS" | "READS" | "NOTHING";

/** One connection of an assistant. */
export interface AssistantView {
  id: string;
  /** Its self-declared name, made safe to show. */
  name: string;
  /** Host that the browser was redirected to. */
  host: string;
  connectedByName: string;
  isOwn: boolean;
  /** Null: the member who connected it has left. */
  memberRole: MemberRole | null;
  power: AssistantPower;
  connectedAt: string;
  lastUsedAt: string | null;
  approvedCount: number;
  decidedCount: number;
  /** Oldest first. */
  recent: RequesterView["recent"];
  state: AssistantStateView;
  /** The reader may end it: owners and co-owners any, others their own. */
  canDisconnect: boolean;
}

/** The assistants of an organization. */
export interface AssistantsView {
  assistants: AssistantView[];
  /** Ended connections, shown or not. */
  endedCount: number;
  showsEnded: boolean;
  toggleEndedHref: string;
  /** The address that a client needs. */
  mcpUrl: string;
  viewer: { role: MemberRole; canDecide: boolean };
  time: TimeContext;
}

/** What disconnecting would end right now. */
export interface DisconnectionView {
  /** Proposals that wait. */
  denied: RevocationEffectView;
  /** Approved, and neither booked nor with the bank. */
  stopped: RevocationEffectView;
}

/** A program that asks to be connected, as far as known. */
export interface AskingClientView {
  /** Its self-declared, unverified name, made safe to show. */
  name: string;
  /** Where the browser returns; with its port on this machine. */
  redirectHost: string;
  isLoopback: boolean;
  knownBy: "OPERATOR" | "REGISTRATION" | "METADATA_DOCUMENT";
  /** Host of its metadata document, which is verified; null without one. */
  idHost: string | null;
  askedAt: string;
  /** Until someone ends it, not only for the lifetime of one token. */
  keepsAccess: boolean;
}

/** The page on which a member consents to an assistant. */
export interface ConsentView {
  /** The member and organization this page showed (lib/contract/shown.ts). */
  shown: string;
  /** Of the request. */
  uid: string;
  client: AskingClientView;
  /** The last time a member of this organization connected this client; null: never. */
  before: { byName: string; isByViewer: boolean; at: string; isConnected: boolean } | null;
  /** The organization it would be connected to. */
  organization: { id: string; name: string; accountCount: number; ruleCount: number };
  /** The member's other organizations, which they may choose instead. */
  otherOrganizations: { id: string; name: string }[];
  member: { name: string; role: MemberRole };
  /** From the member's current role. */
  power: Exclude<AssistantPower, "NOTHING">;
  /** First names of the other people who approve. */
  otherDeciders: string[];
  /** Real time, of the organization's place. */
  time: TimeContext;
}
