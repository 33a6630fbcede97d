import { z } from "zod";
import { cardDeclineReasonSchema } from "@/lib/contract/card";
import { flowDirectionSchema } from "@/lib/contract/transactions";
import { achReturnCodeSchema } from "@/lib/contract/transfer";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { EventResourceType, EventType } from "@/lib/contract/webhooks";

/**
 * How the sandbox's webhook receiver answers: normally, with 503, 500 or 410, not until the sender times out, or
 * normally except every third time.
 */
export const receiverModeSchema = z.enum(["OK", "UNAVAILABLE", "ERROR", "GONE", "SILENT", "FLAKY"]);
export type ReceiverMode = z.infer<typeof receiverModeSchema>;

/** How many deliveries it stores. */
export const REMEMBERED_RECEIPTS = 20;
/** Longer than the sender waits, but no longer than a stopping process drains. */
export const SILENCE_MS = 15_000;

const cents = z.int().positive();
const instant = z.iso.datetime();

/** What a member simulates on a connection: sign-in required, error, no updates, or working again. */
export const connectionChangeSchema = z.enum(["SIGN_IN", "UNAVAILABLE", "STALE", "HEALED"]);
export type ConnectionChange = z.infer<typeof connectionChangeSchema>;

/** A member's action in the sandbox, as stored. */
export const sandboxActionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("MOVED_CLOCK"), fromAt: instant, toAt: instant }),
  z.object({
    kind: z.literal("DEPOSITED"),
    reference: z.string(),
    origin: z.enum(["DIRECT_DEPOSIT", "CHECK_DEPOSIT"]),
    amountInCents: cents,
    accountName: z.string(),
    payerName: z.string(),
    arrivesAt: instant,
  }),
  z.object({
    kind: z.literal("SENT_BACK"),
    transferId: z.uuid(),
    amountInCents: cents,
    partyName: z.string(),
    code: achReturnCodeSchema,
  }),
  /** At a real bank's sandbox. */
  z.object({
    kind: z.literal("SETTLED"),
    transferId: z.uuid(),
    amountInCents: cents,
    partyName: z.string(),
  }),
  z.object({ kind: z.literal("SILENCED"), untilAt: instant }),
  /** Of the bank's own accord, so that the books do not know it. */
  z.object({ kind: z.literal("BOOKED_BY_BANK"), as: z.enum(["FEE", "INTEREST"]), amountInCents: cents }),
  z.object({
    kind: z.literal("BOUGHT"),
    amountInCents: cents,
    merchant: z.string(),
    cardName: z.string(),
    /** The answer to the network; `UNANSWERED`: it did not arrive. */
    answer: z.enum(["APPROVED", "UNANSWERED", ...cardDeclineReasonSchema.options]),
  }),
  z.object({
    kind: z.literal("PAID_TO_CARD"),
    subtype: z.enum(["REFUND", "PAYOUT"]),
    amountInCents: cents,
    merchant: z.string(),
    cardName: z.string(),
  }),
  z.object({
    kind: z.literal("MOVED_OUTSIDE"),
    direction: flowDirectionSchema,
    amountInCents: cents,
    accountName: z.string(),
    partyName: z.string(),
    isPending: z.boolean(),
  }),
  z.object({
    kind: z.literal("CONNECTION_CHANGED"),
    institutionName: z.string(),
    change: connectionChangeSchema,
  }),
  z.object({
    kind: z.literal("PENDING_DECIDED"),
    description: z.string(),
    /** Null: it vanished. */
    settledInCents: cents.nullable(),
  }),
  z.object({ kind: z.literal("RECEIVER_SET"), mode: receiverModeSchema }),
]);
export type SandboxAction = z.infer<typeof sandboxActionSchema>;

/** Effects of an action so far. */
export interface SandboxOutcome {
  settled: number;
  failed: number;
  returned: number;
  /** Proposals that nobody decided in time. */
  expired: number;
}

export interface SandboxActionView {
  id: string;
  at: string;
  memberName: string;
  action: SandboxAction;
  /** Of the transfers it affected; of all of them after the clock was moved. */
  outcome: SandboxOutcome;
  setOff: SandboxRunsView;
}

/** Live runs that an action started: by its deposit, or while the clock was moved. */
export interface SandboxRunsView {
  count: number;
  /** The first of them. */
  runs: { href: string; ruleName: string }[];
}

/** One day of business time: `date` in New York. */
export interface SandboxDayView {
  date: string;
  isBankingDay: boolean;
  /** The name of the holiday that closes it. */
  holiday: string | null;
  /** Events expected on that day. */
  events: string[];
}

export interface SandboxChoice {
  id: string;
  label: string;
}

/** Targets for moving the clock in one step. */
export interface SandboxJump {
  toAt: string;
  kind: "THIS_AFTERNOON" | "NEXT_BANKING_DAY" | "NEXT_WEEK";
}

/** One delivery to the webhook receiver. */
export interface SandboxReceiptView {
  /** From 1, in the order in which they came. */
  place: number;
  at: string;
  eventId: string;
  type: EventType;
  resource: { type: EventResourceType; id: string };
  /** Its answer; null: none until the sender timed out. */
  status: number | null;
}

/** The receiver of webhooks. Null in `address` and `mode` until a member opens it. */
export interface SandboxReceiverView {
  address: string | null;
  mode: ReceiverMode | null;
  /** The page of the endpoint that sends there; null without one. */
  endpointHref: string | null;
  /** Where to create one with this address filled in. */
  newEndpointHref: string | null;
  /** The last ones, newest first. */
  receipts: SandboxReceiptView[];
}

export interface SandboxView {
  canDrive: boolean;
  time: TimeContext;
  /** Real time; business time is `time.nowAt`. */
  realAt: string;
  days: SandboxDayView[];
  /** How far through the first day business time is, 0 to 1. */
  dayFraction: number;
  jumps: SandboxJump[];
  /** The latest moment to which the clock may be moved now. */
  latestAt: string;
  receivers: SandboxChoice[];
  payerNames: string[];
  /** Open cards; without any, nothing can be bought. */
  cards: SandboxChoice[];
  /** Where cards have paid lately. */
  merchants: string[];
  /** Open accounts at institutions outside. */
  outsideAccounts: SandboxChoice[];
  connections: SandboxChoice[];
  /** What is pending on accounts outside. */
  pending: SandboxChoice[];
  /** Settled transfers that could still be returned. */
  returnable: SandboxChoice[];
  /** Transfers in progress that could still be refused. */
  refusable: SandboxChoice[];
  /** When the bank answers again; null while it does. */
  silentUntil: string | null;
  /** Null if webhooks may not go to this machine. */
  receiver: SandboxReceiverView | null;
  /** Newest first. */
  actions: SandboxActionView[];
}

/** Where a real bank's own sandbox keeps the money. */
export interface SimulationsView {
  bankName: string;
  canDrive: boolean;
  time: TimeContext;
  /** Income sources with an account number. */
  receivers: SandboxChoice[];
  payerNames: string[];
  /** Orders at the bank that have not settled. */
  settleable: SandboxChoice[];
  /** Orders at the bank, settled or not. */
  returnable: SandboxChoice[];
  /** Newest first. */
  actions: SandboxActionView[];
}
