export const DECIDED_STATES = ["approved", "denied", "expired", "revoked", "ended", "withdrawn"] as const;
export type DecidedState = (typeof DECIDED_STATES)[number];

/** Of a parameter that an address repeats, the first counts. */
export const firstValue = (value: unknown) => (Array.isArray(value) ? value[0] : value);

/** URL state of the decided approvals. */
export interface ApprovalSearch {
  decided: DecidedState | null;
  /** A member. */
  decider: string | null;
  /** A key or an assistant. */
  by: string | null;
  /** Calendar days in the viewer's zone, both inclusive. */
  from: string | null;
  to: string | null;
}

/** All decided approvals. */
export const EVERY_APPROVAL: ApprovalSearch = {
  decided: null,
  decider: null,
  by: null,
  from: null,
  to: null,
};

/** Where a page of the list begins: beyond this proposal, older or newer. */
export interface ApprovalPlace {
  before: string | null;
  after: string | null;
}

/** The search as name-value pairs, for links and forms. */
export function approvalPairs(search: ApprovalSearch): [string, string][] {
  return Object.entries(search).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  );
}

export function approvalsHref(search: ApprovalSearch, place: Partial<ApprovalPlace> = {}): string {
  const { before = null, after = null } = place;
  const pairs = approvalPairs(search);
  if (before !== null) pairs.push(["before", before]);
  if (after !== null) pairs.push(["after", after]);
  return pairs.length > 0 ? `/approvals?${new URLSearchParams(pairs)}` : "/approvals";
}

/** The list as a file, with the same filters. */
export function approvalsExportHref(search: ApprovalSearch): string {
  const pairs = approvalPairs(search);
  return pairs.length > 0 ? `/approvals/export?${new URLSearchParams(pairs)}` : "/approvals/export";
}

/** What people's activity is about, in the order of the filter. */
export const ACTIVITY_GROUPS = [
  "approvals",
  "rules",
  "keys",
  "webhooks",
  "accounts",
  "payees",
  "cards",
  "members",
  "gates",
  "organization",
] as const;
export type ActivityGroup = (typeof ACTIVITY_GROUPS)[number];

/** URL state of the log of what people did. */
export interface ActivitySearch {
  /** A member, or a former one. */
  by: string | null;
  about: ActivityGroup | null;
  /** Calendar days in the organization's zone, both inclusive. */
  from: string | null;
  to: string | null;
}

/** The whole log. */
export const EVERY_ACTIVITY: ActivitySearch = { by: null, about: null, from: null, to: null };

/** Where a page of the log begins: beyond this row, older or newer. */
export interface ActivityPlace {
  before: string | null;
  after: string | null;
}

export function activityPairs(search: ActivitySearch): [string, string][] {
  return Object.entries(search).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  );
}

export function activityHref(search: ActivitySearch, { before, after }: Partial<ActivityPlace> = {}): string {
  const pairs = activityPairs(search);
  if (before) pairs.push(["before", before]);
  if (after) pairs.push(["after", after]);
  return pairs.length > 0 ? `/audit/activity?${new URLSearchParams(pairs)}` : "/audit/activity";
}

/** The log as a file, with the same filters. */
export function activityExportHref(search: ActivitySearch): string {
  const pairs = activityPairs(search);
  return pairs.length > 0 ? `/audit/activity/export?${new URLSearchParams(pairs)}` : "/audit/activity/export";
}

/** The sections of the accounts page, in order. */
export const ACCOUNT_SECTIONS = ["income", "pods", "outside", "owed", "closed"] as const;
export type AccountSectionName = (typeof ACCOUNT_SECTIONS)[number];

/** URL state of the accounts page. */
export interface AccountsSearch {
  /** Only this section, all of it in pages; null: the beginning of each. */
  only: AccountSectionName | null;
  page: number;
}

export function accountsHref({ only, page }: AccountsSearch): string {
  if (only === null) return "/accounts";
  return page > 1 ? `/accounts?only=${only}&page=${page}` : `/accounts?only=${only}`;
}

/** URL state of the cards page. */
export interface CardsSearch {
  page: number;
  /** The card issued a moment ago. */
  issued: string | null;
}

export function cardsHref(page: number): string {
  return page > 1 ? `/cards?page=${page}` : "/cards";
}

export const RULE_STATES = ["active", "paused", "inactive"] as const;

/** URL state of the rules page. */
export interface RulesSearch {
  state: (typeof RULE_STATES)[number] | null;
  /** Part of the name. */
  q: string | null;
  page: number;
}

export function rulesHref({ state, q, page }: RulesSearch): string {
  const pairs = new URLSearchParams();
  if (state !== null) pairs.set("state", state);
  if (q !== null) pairs.set("q", q);
  if (page > 1) pairs.set("page", String(page));
  return pairs.size > 0 ? `/rules?${pairs}` : "/rules";
}
