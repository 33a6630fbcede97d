import type { AuditAction, AuditOutcome } from "@/lib/contract/audit-log";
import type { ErrorCode } from "@/lib/contract/error";

/** A request of the audit log as its page shows it. */
export interface AuditRowView {
  id: string;
  /** ISO 8601. */
  at: string;
  callerId: string;
  callerName: string;
  method: string;
  /** As requested, from the root of the API. */
  path: string;
  action: AuditAction | null;
  reason: string | null;
  requestId: string;
  outcome: AuditOutcome;
  errorCode: string | null;
  /** The wrong fields and values, or the sentence of the refusal. */
  errorDetail: string | null;
}

/** A request in a list, with where it is opened. */
export interface AuditListedView extends AuditRowView {
  href: string;
}

/** What seals a request into the chain (docs/audit.md). Hashes are hexadecimal. */
export interface AuditSealView {
  sequence: number;
  /** ISO 8601. */
  sealedAt: string;
  entryHash: string;
  hash: string;
  /** Recomputed now from the entry and the previous seal: whether both hashes match. */
  holds: boolean;
}

/** One request, opened. */
export interface AuditOpenedView {
  entry: AuditRowView;
  /** Null: it waits for its seal, a second at most. */
  seal: AuditSealView | null;
  /** The page of the key; null if the caller is not a listed key. */
  callerHref: string | null;
  /** Requests of the same caller within a minute, oldest first, including this one. */
  near: AuditListedView[];
  closeHref: string;
}

/** URL state of the log; undefined filters nothing. Dates are calendar days in the organization's zone. */
export interface AuditSearch {
  caller?: string | undefined;
  action?: AuditAction | undefined;
  outcome?: AuditOutcome | undefined;
  error?: ErrorCode | undefined;
  request?: string | undefined;
  /** Part of a reason, the caller's or that of the refusal. */
  q?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The position in the list, and which entry is open. */
export interface AuditPlace {
  entry?: string | undefined;
  before?: string | undefined;
  after?: string | undefined;
}

/** The address of the log with this search and position. */
export function auditHref(search: AuditSearch, place: AuditPlace = {}, base = "/audit"): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...search, ...place })) {
    if (value !== undefined) parameters.set(name, value);
  }
  return parameters.size === 0 ? base : `${base}?${parameters}`;
}

/** Requests of a few hours, at most as many as are drawn. */
export interface AuditSpanView {
  /** ISO 8601, its beginning. */
  at: string;
  succeeded: number;
  failed: number;
}

/** The audit log of an organization. */
export interface AuditView {
  search: AuditSearch;
  /** Newest first. */
  entries: AuditListedView[];
  newerHref: string | null;
  olderHref: string | null;
  /** Matches; there are more than `count` if `isMore`. */
  found: { count: number; failed: number; isMore: boolean };
  opened: AuditOpenedView | null;
  chain: {
    /** Up to when successful reads have left for files; null: none have. */
    archivedUntil: string | null;
    /** How many are sealed. */
    count: number;
    /** ISO 8601, of the newest seal. */
    sealedAt: string | null;
    /** The newest seal's hash. */
    head: string | null;
    /** The oldest unsealed entry has waited longer than the worker should take. */
    isLate: boolean;
    /** Of the page's entries: how many were verified against their seals just now, and how many failed. */
    checked: number;
    broken: number;
  };
  /** The last two weeks. Bars above `mostInSpan` are drawn at that height. */
  spans: AuditSpanView[];
  mostInSpan: number;
  /** For the filter: keys and assistants, most recently used first. */
  callers: { id: string; name: string }[];
  /** Null: this member may only read. */
  exportHrefs: { csv: string; json: string } | null;
}
