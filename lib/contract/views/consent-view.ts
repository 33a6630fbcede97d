import type { Refused } from "@/lib/contract/refused";
import type { AssistantPower } from "@/lib/contract/views/assistants-view";
import type { MemberRole } from "@/lib/contract/views/people";
import type { TimeContext } from "@/lib/contract/views/time-context";

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
