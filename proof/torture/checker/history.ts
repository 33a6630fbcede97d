import { readFileSync } from "node:fs";

/**
 * What the simulation did and observed, one line of JSON each, in order. Besides the database, it is all that the
 * checker knows; no code of the product takes part in either.
 */
export type HistoryEvent =
  | OpenedOrganization
  | Called
  | Answered
  | Unanswered
  | Decided
  | Verdict
  | Received
  | Faulted;

interface OpenedAccount {
  id: string;
  name: string;
  type: "POD" | "INCOME_SOURCE" | "EXTERNAL_ACCOUNT";
}

/** A rule that runs once for everything that arrives on its account. Active from beginning to end. */
export interface OpenedRule {
  id: string;
  accountId: string;
  /** Of the incoming amount, each rounded down to the cent; empty if what it moves depends on more. */
  shares: { destinationAccountId: string; percentage: number }[];
}

/** The most that a rule may move in a calendar month, and which of its limits that is. */
export interface OpenedLimit {
  ruleId: string;
  limitId: string;
  amountInCents: number;
}

export interface OpenedOrganization {
  kind: "opened";
  organizationId: string;
  accounts: OpenedAccount[];
  /** What filled the accounts before any rule existed, without the bank. */
  openingTransferIds: string[];
  rules: OpenedRule[];
  limits: OpenedLimit[];
  /** `asks`: its proposals need a person; `capInCents`: what it may move in a day without one. */
  keys: { id: string; asks: boolean; capInCents: number | null }[];
  memberIds: string[];
  /** Webhook endpoints with their signing secrets. */
  endpoints: { id: string; secret: string }[];
}

/** A program, or a member if there is no key, asks for something. Written before the request leaves. */
export interface Called {
  kind: "called";
  call: number;
  organizationId: string;
  keyId: string | null;
  operation:
    | "createTransfer"
    | "triggerRule"
    | "createAccount"
    | "getTransfer"
    | "cancelTransfer"
    | "revokeKey"
    | "closeGates"
    | "openGates"
    | "deposit"
    | "moveClock"
    | "silence"
    | "proposeMandate"
    | "signMandate"
    | "endMandate";
  idempotencyKey: string | null;
  /** Of a transfer: its description, by which its rows are found without an answer. */
  mark: string | null;
  body: unknown;
}

export interface Answered {
  kind: "answered";
  call: number;
  status: number;
  requestId: string | null;
  /** Of the created or read resource. */
  resource: { id: string; [field: string]: unknown } | null;
  /** Code and message of an error; of a server action without a code, `REFUSED` or another kind of its results. */
  refusal: string | null;
}

/**
 * Why nothing is known. CUT: the connection was refused or broke, as when a process is killed. SILENT: it stood, and no
 * answer came in time. FAILED: the answer says that it failed, and not whether before or after it took effect.
 */
export type Unclear = "CUT" | "SILENT" | "FAILED";

/** It may have happened or not. */
interface Unanswered {
  kind: "unanswered";
  call: number;
  because: Unclear;
}

/** A member is about to decide. Written before the request leaves. */
interface Decided {
  kind: "decided";
  call: number;
  organizationId: string;
  memberId: string;
  proposalId: string;
  decision: "APPROVE" | "DENY";
}

/** The answer that the member got. */
interface Verdict {
  kind: "verdict";
  call: number;
  /** `DECIDED`: it counts; anything else: it does not. Null: unclear. */
  result: string | null;
  /** Code or kind and message where it does not count. */
  refusal: string | null;
  /** Null: it is clear. */
  because: Unclear | null;
}

/** A webhook, as its receiver got and answered it. */
export interface Received {
  kind: "received";
  organizationId: string;
  endpointId: string;
  signature: string;
  eventId: string;
  body: string;
  receivedAtSeconds: number;
  answered: number;
}

interface Faulted {
  kind: "faulted";
  fault: string;
}

/** @throws Error for a line that is not JSON: the simulation was killed while it wrote */
export function readHistory(path: string): HistoryEvent[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

export function eventsOf<Kind extends HistoryEvent["kind"]>(history: readonly HistoryEvent[], kind: Kind) {
  return history.filter((event): event is Extract<HistoryEvent, { kind: Kind }> => event.kind === kind);
}

/** A broken promise, and where. */
export interface Violation {
  promise: string;
  what: string;
}

/** `Map.groupBy`, which Node has from version 21. */
export function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
