import { readFileSync } from "node:fs";

/**
 * What the simulation did and what it was told, a line of JSON each, in the order in which it happened. All that the
 * checker knows besides the database; nothing of the product takes part in either.
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

/** A rule that runs once for everything that arrives on its account. Active from the beginning to the end. */
export interface OpenedRule {
  id: string;
  accountId: string;
  /** Of the incoming amount, each rounded down to the cent; empty where what it moves depends on more than that. */
  shares: { destinationAccountId: string; percentage: number }[];
}

/** The most that a rule may move in a calendar month, and of which limit of it. */
export interface OpenedLimit {
  ruleId: string;
  limitId: string;
  amountInCents: number;
}

export interface OpenedOrganization {
  kind: "opened";
  organizationId: string;
  accounts: OpenedAccount[];
  /** What filled the accounts before there was a rule, without the bank. */
  openingTransferIds: string[];
  rules: OpenedRule[];
  limits: OpenedLimit[];
  /** `asks`: what it proposes waits for a person; `capInCents`: what it may set moving in a day without one. */
  keys: { id: string; asks: boolean; capInCents: number | null }[];
  memberIds: string[];
  /** Webhook endpoints with their signing secrets. */
  endpoints: { id: string; secret: string }[];
}

/** A program, or a member where there is no key, asks for something. Written before the request leaves. */
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
    | "openGates";
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
  /** Of the resource that was made or read. */
  resource: { id: string; [field: string]: unknown } | null;
  /** Code and message of an error. */
  refusal: string | null;
}

/** The connection broke, or nothing came in time: it may have happened or not. */
interface Unanswered {
  kind: "unanswered";
  call: number;
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

/** What the member was told. */
interface Verdict {
  kind: "verdict";
  call: number;
  /** `DECIDED`: it counts; anything else: it does not. Null: no answer. */
  result: string | null;
}

/** A webhook, as its receiver got it and answered it. */
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

/** @throws Error for a line that is no JSON: the simulation was killed while it wrote. */
export function readHistory(path: string): HistoryEvent[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

export function eventsOf<Kind extends HistoryEvent["kind"]>(history: readonly HistoryEvent[], kind: Kind) {
  return history.filter((event): event is Extract<HistoryEvent, { kind: Kind }> => event.kind === kind);
}

/** A promise that was broken, and where. */
export interface Violation {
  promise: string;
  what: string;
}

/** What `Map.groupBy` is from Node 21 on. */
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
