import { z } from "zod";
import { parseCents } from "@/lib/contract/format-cents";
import { dateText } from "@/lib/contract/input/instants";
import { MAXIMUM_PAGE, MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import {
  ACCOUNT_SECTIONS,
  ACTIVITY_GROUPS,
  DECIDED_STATES,
  firstValue,
  RULE_STATES,
} from "@/lib/contract/search/list-search";
import {
  CARD_KINDS,
  MAXIMUM_ACCOUNTS_IN_SEARCH,
  MAXIMUM_SEARCH_TEXT_LENGTH,
  MOVEMENT_DAYS,
  MOVEMENT_DIRECTIONS,
  OUTSIDE_STATES,
  TRANSFER_STATES,
  USUAL_DAYS,
} from "@/lib/contract/search/movement-search";
import { PROPOSAL_KINDS, REVIEW_END } from "@/lib/contract/search/queue-search";
import { spendingCategorySchema } from "@/lib/contract/transactions";

// Apart from the addresses that they read, which components build: without these, a list's page carries no Zod.

/** A bookmarked or mistyped address still opens: an invalid parameter is ignored. */
const optional = <T extends z.ZodType>(schema: T) =>
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
  from: optional(dateText),
  to: optional(dateText),
});

/** Where a page of the list begins: beyond this proposal, older or newer. */
export const approvalPlaceSchema = z.object({
  before: optional(uuid),
  after: optional(uuid),
});

/** How much of the list of payees is shown. */
export const payeePlaceSchema = z.object({ show: optional(z.enum(["all"])) });

/** URL state of the log of what people did. */
export const activitySearchSchema = z.object({
  /** A member, or a former one. */
  by: optional(uuid),
  about: optional(z.enum(ACTIVITY_GROUPS)),
  /** Calendar days in the organization's zone, both inclusive. */
  from: optional(dateText),
  to: optional(dateText),
});

/** A row of the log: microseconds since 1970, and its key. */
const activityCursor = z.string().regex(/^\d{1,17}\.[A-Z]{1,20} [0-9a-f-]{36}(?: \d{1,9})?$/);

/** Where a page of the log begins: beyond this row, older or newer. */
export const activityPlaceSchema = z.object({
  before: optional(activityCursor),
  after: optional(activityCursor),
});

/** URL state of the accounts page. */
export const accountsSearchSchema = z.object({
  /** Only this section, all of it in pages; null: the beginning of each. */
  only: optional(z.enum(ACCOUNT_SECTIONS)),
  page: pageNumber,
});

/** URL state of the cards page. */
export const cardsSearchSchema = z.object({
  page: pageNumber,
  /** The card issued a moment ago. */
  issued: optional(z.uuid()),
});

const MAXIMUM_SEARCH_LENGTH = 100;

/** URL state of the rules page. */
export const rulesSearchSchema = z.object({
  state: optional(z.enum(RULE_STATES)),
  /** Part of the name. */
  q: optional(z.string().trim().min(1).max(MAXIMUM_SEARCH_LENGTH)),
  page: pageNumber,
});

/** Turns one URL value, or several, into a list. */
const several = (value: unknown) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

const text = z.string().trim().min(1).max(MAXIMUM_SEARCH_TEXT_LENGTH);

const amount = z
  .string()
  .transform((typed) => parseCents(typed))
  .pipe(z.int().positive().max(MAXIMUM_TRANSFER_IN_CENTS));

/** URL state of the proposals that wait. */
export const queueSearchSchema = z
  .object({
    requester: optional(uuid),
    kind: optional(z.enum(PROPOSAL_KINDS)),
    account: optional(uuid),
    least: optional(amount),
    most: optional(amount),
  })
  .transform(({ least, most, ...rest }) => {
    // A reversed range is read the other way around.
    const isReversed = least !== null && most !== null && least > most;
    return { ...rest, least: isReversed ? most : least, most: isReversed ? least : most };
  });

/** Where a review is. */
export const reviewPlaceSchema = z.object({ at: optional(z.union([uuid, z.literal(REVIEW_END)])) });

/** What of an amount that cannot be read is shown again. */
const MAXIMUM_REFUSED_LENGTH = 24;

/** What was typed as an amount to search for, if it is none: it is refused in words, not ignored. */
export function refusedAmountOf(typed: unknown): string | null {
  const first = firstValue(typed);
  if (typeof first !== "string" || first.trim() === "" || amount.safeParse(first).success) return null;
  return first.trim().slice(0, MAXIMUM_REFUSED_LENGTH);
}

/** URL state of a list of movements. */
export const movementSearchSchema = z
  .object({
    days: z.preprocess(firstValue, z.enum(MOVEMENT_DAYS)).catch(USUAL_DAYS).default(USUAL_DAYS),
    /** Calendar days in the viewer's zone, both inclusive. Either one overrides `days`. */
    from: optional(dateText),
    to: optional(dateText),
    account: z
      .preprocess(several, z.array(z.unknown()))
      .transform((ids) => ids.flatMap((id) => uuid.safeParse(id).data ?? []))
      .transform((ids) => [...new Set(ids)].slice(0, MAXIMUM_ACCOUNTS_IN_SEARCH))
      .default([]),
    status: optional(z.enum(TRANSFER_STATES)),
    direction: optional(z.enum(MOVEMENT_DIRECTIONS)),
    /** `1`: include dry runs. */
    dry: optional(z.literal("1")),
    /** A key, an assistant or a member. */
    by: optional(uuid),
    q: optional(text),
    amount: optional(amount),
    card: optional(uuid),
    kind: optional(z.enum(CARD_KINDS)),
    category: optional(spendingCategorySchema),
    state: optional(z.enum(OUTSIDE_STATES)),
  })
  .transform(({ from, to, ...rest }) => ({
    ...rest,
    // A reversed range is read the other way around.
    from: from !== null && to !== null && from > to ? to : from,
    to: from !== null && to !== null && from > to ? from : to,
  }));

/** Where a page of the list begins: beyond this movement, older or newer. And the movement whose drawer is open. */
export const movementPlaceSchema = z.object({
  before: optional(uuid),
  after: optional(uuid),
  open: optional(uuid),
});
