import type { MemberRole } from "@/lib/contract/members";
import type { Refused } from "@/lib/contract/refused";
import type { AskerView } from "@/lib/contract/views/approval-view";
import type { RevocationEffectView } from "@/lib/contract/views/keys-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/**
 * Where the connection of an assistant stands. `CLIENT`: it gave its access back. `REUSE`: somebody had a copy of it.
 * `EXPIRED`: it did not come back before its access ran out.
 */
export type AssistantStateView =
  | { kind: "CONNECTED" }
  | {
      kind: "ENDED";
      at: string;
      because: "MEMBER" | "OPERATOR" | "CLIENT" | "REUSE" | "EXPIRED";
      byName: string | null;
    };

/** What it does by the role that its member has now. `NOTHING`: they have left. */
export type AssistantPower = "ASKS" | "READS" | "NOTHING";

/** One connection of an assistant. */
export interface AssistantView {
  id: string;
  /** As it calls itself, made fit to be shown. */
  name: string;
  /** Host to which the browser was sent back. */
  host: string;
  connectedByName: string;
  isOwn: boolean;
  /** Null: who connected it is no member any more. */
  memberRole: MemberRole | null;
  power: AssistantPower;
  connectedAt: string;
  lastUsedAt: string | null;
  approvedCount: number;
  decidedCount: number;
  /** Oldest first. */
  recent: AskerView["recent"];
  state: AssistantStateView;
  /** The reader may end it: owners and co-owners any, everybody their own. */
  canDisconnect: boolean;
}

/** The assistants of an organization. */
export interface AssistantsView {
  assistants: AssistantView[];
  /** Those whose connection ended, whether shown or not. */
  endedCount: number;
  showsEnded: boolean;
  toggleEndedHref: string;
  /** The address that a client is given. */
  mcpUrl: string;
  viewer: { role: MemberRole; canDecide: boolean };
  time: TimeContext;
}

/** What disconnecting would end at this moment. */
export interface DisconnectionView {
  /** Proposals that wait. */
  denied: RevocationEffectView;
  /** Approved, and neither booked nor with the bank. */
  stopped: RevocationEffectView;
}

export interface DisconnectActions {
  previewDisconnection: (input: {
    assistantId: string;
  }) => Promise<{ kind: "PREVIEW"; view: DisconnectionView } | Refused>;
  disconnectAssistant: (input: { assistantId: string }) => Promise<{ kind: "DISCONNECTED" } | Refused>;
}

/** A program that asks to be connected, as far as it is known. */
export interface AskingClientView {
  /** As it calls itself, made fit to be shown; nobody checked it. */
  name: string;
  /** Where the browser goes back to; with its port where that is this machine. */
  redirectHost: string;
  isLoopback: boolean;
  knownBy: "OPERATOR" | "REGISTRATION" | "METADATA_DOCUMENT";
  /** Host of its published description, which is proven; null for the others. */
  idHost: string | null;
  askedAt: string;
  /** Until somebody ends it, and not only for as long as one token lives. */
  keepsAccess: boolean;
}

/** The page on which a member agrees, or not, that an assistant acts for them. */
export interface ConsentView {
  /** Of the request. */
  uid: string;
  client: AskingClientView;
  /** The last time that a member of this organization connected this very client; null: never. */
  before: { byName: string; isByViewer: boolean; at: string; isConnected: boolean } | null;
  /** What it would be connected to. */
  organization: { id: string; name: string; accountCount: number; ruleCount: number };
  /** Others of the member, to which it might be connected instead. */
  otherOrganizations: { id: string; name: string }[];
  member: { name: string; role: MemberRole };
  /** By the member's role now. */
  power: Exclude<AssistantPower, "NOTHING">;
  /** First names of the other people who approve. */
  otherDeciders: string[];
  /** Real time, of the organization's place. */
  time: TimeContext;
}

export type ConsentResult =
  /** The browser goes on, to the program in the end. */
  | { kind: "GO"; url: string }
  /** The request is over. */
  | { kind: "OVER" }
  | Refused;

/** The server actions behind the consent page. */
export interface ConsentActions {
  allow: (input: { uid: string }) => Promise<ConsentResult>;
  refuse: (input: { uid: string }) => Promise<ConsentResult>;
}
