import type { Refused } from "@/lib/contract/refused";
import type { AskerView } from "@/lib/contract/views/approval-view";
import type { RevocationEffectView } from "@/lib/contract/views/keys-view";
import type { MemberRole } from "@/lib/contract/views/people";
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
