import { z } from "zod";
import { MAXIMUM_PAGE } from "@/lib/contract/limits";

const DECIDED_STATES = ["approved", "denied", "expired", "revoked", "ended"] as const;
export type DecidedState = (typeof DECIDED_STATES)[number];

/** Of a parameter that an address repeats, the first counts. */
export const firstValue = (value: unknown) => (Array.isArray(value) ? value[0] : value);
/** A bookmarked or mistyped address still opens: an invalid parameter is ignored. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess(firstValue, schema.nullable()).catch(null).default(null);
const pageNumber = z
  .preprocess(firstValue, z.coerce.number().int().min(1).max(MAXIMUM_PAGE))
  .catch(1)
  .default(1);
const uuid = z.uuid().toLowerCase();

/** URL state of the decided approvals. */
export const approvalSearchSchema = z.object({
  decided: optional(z.enum(DECIDED_STATES)),
  /** A member. */
  decider: optional(uuid),
  /** A key or an assistant. */
  by: optional(uuid),
  /** Calendar days in the viewer's zone, both inclusive. */
  from: optional(z.iso.date()),
  to: optional(z.iso.date()),
});
export type ApprovalSearch = z.infer<typeof approvalSearchSchema>;

/** Where a page of the list begins: beyond this proposal, older or newer. */
export const approvalPlaceSchema = z.object({
  before: optional(uuid),
  after: optional(uuid),
  /** Every waiting proposal, not only those that expire first. */
  waiting: optional(z.enum(["all"])),
});
export type ApprovalPlace = z.infer<typeof approvalPlaceSchema>;

/** The search as name-value pairs, for links and forms. */
export function approvalPairs(search: ApprovalSearch): [string, string][] {
  return Object.entries(search).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  );
}

export function approvalsHref(search: ApprovalSearch, place: Partial<ApprovalPlace> = {}): string {
  const { before = null, after = null, waiting = null } = place;
  const pairs = approvalPairs(search);
  if (before !== null) pairs.push(["before", before]);
  if (after !== null) pairs.push(["after", after]);
  if (waiting !== null) pairs.push(["waiting", waiting]);
  return pairs.length > 0 ? `/approvals?${new URLSearchParams(pairs)}` : "/approvals";
}

/** The list as a file, with the same filters. */
export function approvalsExportHref(search: ApprovalSearch): string {
  const pairs = approvalPairs(search);
  return pairs.length > 0 ? `/approvals/export?${new URLSearchParams(pairs)}` : "/approvals/export";
}

/** How much of the list of payees is shown. */
export const payeePlaceSchema = z.object({ show: optional(z.enum(["all"])) });

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
export const activitySearchSchema = z.object({
  /** A member, or a former one. */
  by: optional(uuid),
  about: optional(z.enum(ACTIVITY_GROUPS)),
  /** Calendar days in the organization's zone, both inclusive. */
  from: optional(z.iso.date()),
  to: optional(z.iso.date()),
});
export type ActivitySearch = z.infer<typeof activitySearchSchema>;

/** A row of the log: microseconds since 1970, and its key. */
const activityCursor = z.string().regex(/^\d{1,17}\.[A-Z]{1,20} [0-9a-f-]{36}(?: \d{1,9})?$/);

/** Where a page of the log begins: beyond this row, older or newer. */
export const activityPlaceSchema = z.object({
  before: optional(activityCursor),
  after: optional(activityCursor),
});
export type ActivityPlace = z.infer<typeof activityPlaceSchema>;

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
const ACCOUNT_SECTIONS = ["income", "pods", "outside", "owed", "closed"] as const;
export type AccountSectionName = (typeof ACCOUNT_SECTIONS)[number];

/** URL state of the accounts page. */
export const accountsSearchSchema = z.object({
  /** Only this section, all of it in pages; null: the beginning of each. */
  only: optional(z.enum(ACCOUNT_SECTIONS)),
  page: pageNumber,
});
export type AccountsSearch = z.infer<typeof accountsSearchSchema>;

export function accountsHref({ only, page }: AccountsSearch): string {
  if (only === null) return "/accounts";
  return page > 1 ? `/accounts?only=${only}&page=${page}` : `/accounts?only=${only}`;
}

/** URL state of the cards page. */
export const cardsSearchSchema = z.object({
  page: pageNumber,
  /** The card issued a moment ago. */
  issued: optional(z.uuid()),
});
export type CardsSearch = z.infer<typeof cardsSearchSchema>;

export function cardsHref(page: number): string {
  return page > 1 ? `/cards?page=${page}` : "/cards";
}

export const RULE_STATES = ["active", "paused", "inactive"] as const;
const MAXIMUM_SEARCH_LENGTH = 100;

/** URL state of the rules page. */
export const rulesSearchSchema = z.object({
  state: optional(z.enum(RULE_STATES)),
  /** Part of the name. */
  q: optional(z.string().trim().min(1).max(MAXIMUM_SEARCH_LENGTH)),
  page: pageNumber,
});
export type RulesSearch = z.infer<typeof rulesSearchSchema>;

export function rulesHref({ state, q, page }: RulesSearch): string {
  const pairs = new URLSearchParams();
  if (state !== null) pairs.set("state", state);
  if (q !== null) pairs.set("q", q);
  if (page > 1) pairs.set("page", String(page));
  return pairs.size > 0 ? `/rules?${pairs}` : "/rules";
}
