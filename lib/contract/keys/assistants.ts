import type { RequesterView } from "@/lib/contract/approvals/approval";
import type { MemberRole } from "@/lib/contract/members";
import type { TimeContext } from "@/lib/contract/time-context";

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
