import { formatCents } from "@/lib/contract/format-cents";

/** The ranges of the balance chart. */
export const HISTORY_DAYS = [30, 90] as const;

export type HistoryDays = (typeof HISTORY_DAYS)[number];

export type MovementFilter = "ALL" | "IN" | "OUT";

/** The ranges of the money map. */
export const MAP_DAYS = [30, 90] as const;

export type MapDays = (typeof MAP_DAYS)[number];

/** The range of the chart of the total. */
export const TOTAL_DAYS = 30;

export type DeliveryFilter = "ALL" | "FAILING";

export const NEW_RULE_HREF = "/rules/new";

/** The page of a rule; without a version, of its latest. */
export function ruleHref(ruleId: string, version: number | null = null): string {
  return version === null ? `/rules/${ruleId}` : `/rules/${ruleId}?version=${version}`;
}

export function payeeHref(payeeId: string): string {
  return `/payees/${payeeId}`;
}

export function runsHref(ruleId: string): string {
  return `${ruleHref(ruleId)}/runs`;
}

export function runHref(ruleId: string, executionId: string): string {
  return `${runsHref(ruleId)}/${executionId}`;
}

/** Where a member runs a rule by hand, with this starting amount; null: the available balance. */
export function runNowHref(ruleId: string, amountInCents: number | null = null): string {
  const href = `${ruleHref(ruleId)}/run`;
  // The page parses it in the reader's format, as typed.
  return amountInCents === null
    ? href
    : `${href}?${new URLSearchParams({ amount: formatCents(amountInCents) })}`;
}

/** What a return has paused, and what could be moved back. */
export function pausedHref(ruleId: string): string {
  return `${ruleHref(ruleId)}/paused`;
}

/** URL state of an account's page. */
export interface AccountLook {
  days: HistoryDays;
  filter: MovementFilter;
  page: number;
  /** Everything on its way, not only the latest. */
  showsAllOnItsWay: boolean;
}

export function accountHref(accountId: string): string {
  return `/accounts/${accountId}`;
}

/** Where a connected account is registered at the bank. */
export function registerHref(accountId: string): string {
  return `${accountHref(accountId)}/register`;
}

/** The page of an account in this state; defaults are left out of the URL. */
export function accountLookHref(
  accountId: string,
  { days, filter, page, showsAllOnItsWay }: AccountLook,
): string {
  const query = new URLSearchParams();
  if (days !== 30) query.set("days", String(days));
  if (filter !== "ALL") query.set("show", filter.toLowerCase());
  if (page !== 1) query.set("page", String(page));
  if (showsAllOnItsWay) query.set("moving", "all");
  const text = query.toString();
  return text ? `${accountHref(accountId)}?${text}` : accountHref(accountId);
}

const LIST_HREF = "/settings/webhooks";

/** URL state of an endpoint's page. */
export interface EndpointLook {
  filter: DeliveryFilter;
  /** The event whose delivery is open. */
  openedEventId: string | null;
  /** Only events before this one. */
  before: string | null;
}

export function endpointHref(endpointId: string): string {
  return `${LIST_HREF}/${endpointId}`;
}

/** The page of an endpoint in this state; defaults are left out of the URL. */
export function endpointLookHref(
  endpointId: string,
  { filter, openedEventId, before }: EndpointLook,
): string {
  const query = new URLSearchParams();
  if (filter !== "ALL") query.set("filter", filter.toLowerCase());
  if (openedEventId !== null) query.set("event", openedEventId);
  if (before !== null) query.set("before", before);
  const text = query.toString();
  return text ? `${endpointHref(endpointId)}?${text}` : endpointHref(endpointId);
}

/** What bank and books agree and differ on. */
export const RECONCILIATION_HREF = "/accounts/reconciliation";

/** The page of one difference between bank and books. */
export function differenceHref(id: string): string {
  return `${RECONCILIATION_HREF}/${id}`;
}

/** The page of one connection. */
export function connectionHref(id: string): string {
  return `/connections/${id}`;
}

/** The written process of fraud monitoring and its yearly reviews. */
export const FRAUD_MONITORING_HREF = "/settings/fraud-monitoring";

/** The page of one signed review. */
export function fraudReviewHref(id: string): string {
  return `${FRAUD_MONITORING_HREF}/${id}`;
}

/** The process as it is now, or a review as it was signed, as a file. */
export function fraudMonitoringExportHref(reviewId: string | null): string {
  const href = `${FRAUD_MONITORING_HREF}/export`;
  return reviewId === null ? href : `${href}?${new URLSearchParams({ review: reviewId })}`;
}

/** Who must approve: the version in force. */
export const POLICY_HREF = "/settings/approvals";
export const POLICY_EDIT_HREF = `${POLICY_HREF}/edit`;
export const POLICY_PUBLISH_HREF = `${POLICY_HREF}/publish`;

/** An earlier version, to read. */
export function policyVersionHref(version: number): string {
  return `${POLICY_HREF}?version=${version}`;
}

/** A change that waits for the signatures of others, or how it ended. */
export function askedChangeHref(changeId: string): string {
  return `${POLICY_HREF}/changes/${changeId}`;
}

/** What one key may move without asking: to sign, in use, or over. */
export function mandateHref(mandateId: string): string {
  return `/mandates/${mandateId}`;
}

/** Where a request of a program is narrowed before it is signed. */
export function narrowMandateHref(mandateId: string): string {
  return `${mandateHref(mandateId)}/narrow`;
}

/** Every mandate of a key, ended ones too. */
export function keyMandatesHref(keyId: string): string {
  return `/settings/api-keys/${keyId}/mandates`;
}

/** Fields of a mandate that is written for a key, as a suggestion fills them in. */
export interface MandatePrefill {
  source: string | null;
  destination: string | null;
  maximumInCents: number | null;
  monthInCents: number | null;
  /** A mandate whose terms it takes. */
  from: string | null;
}

/** Where a member writes a mandate for a key; defaults are left out of the URL. */
export function newMandateHref(keyId: string, prefill: Partial<MandatePrefill> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(prefill)) if (value != null) query.set(name, String(value));
  const text = query.toString();
  const href = `${keyMandatesHref(keyId)}/new`;
  return text ? `${href}?${text}` : href;
}
