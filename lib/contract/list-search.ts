import { z } from "zod";
import { MAXIMUM_PAGE } from "@/lib/contract/limits";

const DECIDED_STATES = ["approved", "denied", "expired", "revoked"] as const;
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

/** What the address of the approvals says of how the decided ones are looked at. */
export const approvalSearchSchema = z.object({
  decided: optional(z.enum(DECIDED_STATES)),
  /** A member. */
  decider: optional(uuid),
  /** A key or an assistant. */
  by: optional(uuid),
  /** Days of the viewer on which it was decided, both inclusive. */
  from: optional(z.iso.date()),
  to: optional(z.iso.date()),
});
export type ApprovalSearch = z.infer<typeof approvalSearchSchema>;

/** Where in the list a page begins: beyond this proposal, older or newer. */
export const approvalPlaceSchema = z.object({
  before: optional(uuid),
  after: optional(uuid),
  /** Every proposal that waits, not only those that close first. */
  waiting: optional(z.enum(["all"])),
});
export type ApprovalPlace = z.infer<typeof approvalPlaceSchema>;

/** The search as the pairs of an address; for links and for forms alike. */
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

/** Where the decided ones are written as a file, with the same filters. */
export function approvalsExportHref(search: ApprovalSearch): string {
  const pairs = approvalPairs(search);
  return pairs.length > 0 ? `/approvals/export?${new URLSearchParams(pairs)}` : "/approvals/export";
}

/** The sections of the accounts page, in their order. */
const ACCOUNT_SECTIONS = ["income", "pods", "outside", "owed", "closed"] as const;
export type AccountSectionName = (typeof ACCOUNT_SECTIONS)[number];

/** What the address of the accounts says of how they are looked at; what is not understood is left out. */
export const accountsSearchSchema = z.object({
  /** Only this section, all of it by pages; null: the beginning of each. */
  only: optional(z.enum(ACCOUNT_SECTIONS)),
  page: pageNumber,
});
export type AccountsSearch = z.infer<typeof accountsSearchSchema>;

export function accountsHref({ only, page }: AccountsSearch): string {
  if (only === null) return "/accounts";
  return page > 1 ? `/accounts?only=${only}&page=${page}` : `/accounts?only=${only}`;
}

/** What the address of the cards says of how they are looked at; what is not understood is left out. */
export const cardsSearchSchema = z.object({
  page: pageNumber,
  /** The one that was issued a moment ago. */
  issued: optional(z.uuid()),
});
export type CardsSearch = z.infer<typeof cardsSearchSchema>;

export function cardsHref(page: number): string {
  return page > 1 ? `/cards?page=${page}` : "/cards";
}

export const RULE_STATES = ["active", "paused", "inactive"] as const;
const MAXIMUM_SEARCH_LENGTH = 100;

/** What the address of the rules says of how they are looked at; what is not understood is left out. */
export const rulesSearchSchema = z.object({
  state: optional(z.enum(RULE_STATES)),
  /** A part of the name. */
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
