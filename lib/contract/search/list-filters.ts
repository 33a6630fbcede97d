import { z } from "zod";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";

/** What the lists of movements have in common: text, amounts and sums. */

const MAXIMUM_SEARCH_LENGTH = 100;
/** Fewer characters have no trigram, so no index finds them. */
const MINIMUM_SEARCH_LENGTH = 3;
const TOO_SHORT = `must be at least ${MINIMUM_SEARCH_LENGTH} characters`;

export const searchTextSchema = plainText(MAXIMUM_SEARCH_LENGTH)
  .refine((text) => [...text].length >= MINIMUM_SEARCH_LENGTH, TOO_SHORT)
  .meta({ minLength: MINIMUM_SEARCH_LENGTH });

const CENTS_WORDS = `must be a whole number of cents from 0 to ${MAXIMUM_TRANSFER_IN_CENTS}`;
const centsText = z
  .string(CENTS_WORDS)
  .regex(/^\d{1,15}$/, CENTS_WORDS)
  .transform(Number)
  .pipe(z.int().min(0, CENTS_WORDS).max(MAXIMUM_TRANSFER_IN_CENTS, CENTS_WORDS));

export const amountFiltersShape = {
  minimumAmountInCents: centsText.optional().describe("Only of at least this amount."),
  maximumAmountInCents: centsText.optional().describe("Only of at most this amount."),
};

export const summaryQueryShape = {
  summary: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .pipe(z.boolean())
    .default(false)
    .describe("Also answers count and sums of all that match, over all pages."),
};

/** Count and sums of everything that a list's filters match. */
export const listSummarySchema = z
  .strictObject({
    count: z.int().min(0),
    sumInCents: z.int().min(0).describe("Of all amounts, in whatever direction."),
    moneyInInCents: z.int().min(0),
    moneyOutInCents: z.int().min(0),
  })
  .meta({ id: "ListSummary", description: "Everything that a list's filters match, over all pages." });
export type ListSummary = z.infer<typeof listSummarySchema>;

export interface AmountFilters {
  minimumAmountInCents: number | null;
  maximumAmountInCents: number | null;
}

export const withSummary = {
  summary: listSummarySchema.nullable().describe("With `summary=true`; null otherwise."),
};
