import { z } from "zod";

export const DECIDED_STATES = ["approved", "denied", "expired", "revoked"] as const;
export type DecidedState = (typeof DECIDED_STATES)[number];

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);
/** What is not understood is left out, as in the lists of movements. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess(first, schema.nullable()).catch(null).default(null);
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
