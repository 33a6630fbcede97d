import type { MessageChannel } from "@/lib/contract/notifications";
import type { Refused } from "@/lib/contract/refused";
import type { Confirmation, ConfirmationRequest } from "@/lib/contract/views/decision";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** An accepted transfer between two parties. */
export interface GateTransferView {
  id: string;
  href: string;
  sourceName: string;
  destinationName: string;
  amountInCents: number;
  /** For one at the bank: banking date; null until the bank gives one. */
  expectedCompletionDate: string | null;
  /** Business time at which it was accepted. */
  acceptedAt: string;
}

/** Lists show the newest; counts and sums cover all. */
export interface GateTransfersView {
  count: number;
  totalInCents: number;
  newest: GateTransferView[];
}

/** What closing all gates stops, or would stop. */
export interface GatesView {
  /** Null: the gates are open, and the page shows what closing would do. */
  closed: { closingId: string; closedAt: string; closedByName: string | null } | null;
  /** Keys and assistants that may move money, and rules that are active. */
  stopped: { keys: number; assistants: number; rules: number };
  /** Accepted, but neither booked nor sent to the bank. */
  held: GateTransfersView;
  /** At the bank: closing cannot recall it. */
  left: GateTransfersView;
  /** Authorized card purchases that will still settle. */
  purchases: { count: number; totalInCents: number };
  /** `isPartial`: the amount of some is not known, so the total leaves them out. */
  proposals: { count: number; totalInCents: number; isPartial: boolean };
  /** Scheduled runs within the next week, soonest first. */
  nextRuns: { ruleName: string; href: string; at: string }[];
  /** Scheduled runs missed while closed; they are not repeated. */
  skippedCount: number;
  /** Who can open them. */
  deciderNames: string[];
  mayDecide: boolean;
  hasPasskey: boolean;
  /** Messages sent about the closing. */
  told: { key: string; text: string; status: string; channel: MessageChannel }[];
  /** Earlier closings, newest first. */
  past: { id: string; closedAt: string; closedByName: string; openedAt: string; openedByName: string }[];
  time: TimeContext;
}

export type CloseGatesResult = { kind: "CLOSED" } | Refused;

export type OpenGatesResult = { kind: "OPENED" } | { kind: "NOT_CONFIRMED"; message: string } | Refused;

/** The server actions behind the gates. */
export interface GatesActions {
  closeGates: (previous: CloseGatesResult | null, form: FormData) => Promise<CloseGatesResult>;
  beginOpening: (input: {
    closingId: string;
  }) => Promise<{ kind: "BEGUN"; request: ConfirmationRequest } | Refused>;
  openGates: (input: { closingId: string; confirmation: Confirmation }) => Promise<OpenGatesResult>;
}
