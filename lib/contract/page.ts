import { z } from "zod";
import { onceReadable } from "@/lib/contract/input/across-fields";
import { DATE_OR_INSTANT, dateOrInstantText } from "@/lib/contract/input/instants";
import { DATE_WINDOW_MS, DEFAULT_PAGE_SIZE, MAXIMUM_PAGE, MAXIMUM_PAGE_SIZE } from "@/lib/contract/limits";

/** Query values are text: digits only, which excludes empty, signed, fractional and hexadecimal values. */
export function integerText(minimum: number, maximum: number) {
  const words = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string(words)
    .regex(/^\d{1,9}$/, words)
    .transform(Number)
    .pipe(z.int().min(minimum, words).max(maximum, words));
}

/** `page` and `pageSize` of every list (specification, Part 4, "Common headers and parameters"). */
export const pageQueryShape = {
  page: integerText(1, MAXIMUM_PAGE)
    .default(1)
    .describe("Which page, from 1. A page beyond the last is empty."),
  pageSize: integerText(1, MAXIMUM_PAGE_SIZE).default(DEFAULT_PAGE_SIZE).describe("Items per page."),
};

/** A filter with one or several values, of which one must match; without a value everything does. */
export function anyOf<Choice extends Readonly<Record<string, string>>>(choice: z.ZodEnum<Choice>) {
  return z
    .array(choice)
    .max(choice.options.length, `must name at most ${choice.options.length} values`)
    .transform((values) => [...new Set(values)])
    .default([]);
}

export interface PageRequest {
  page: number;
  pageSize: number;
}

const paginationSchema = z
  .strictObject({
    page: z.int().min(1).describe("The number of this page, from 1."),
    pageSize: z.int().min(1).describe("Items per page."),
    hasNextPage: z.boolean().describe("Whether there is a next page."),
  })
  .meta({ id: "Pagination" });

/** A page of a list. */
export interface Page<T> {
  items: T[];
  pagination: z.infer<typeof paginationSchema>;
}

/** The schema of a page of `item`. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.strictObject({ items: z.array(item), pagination: paginationSchema });
}

/**
 * Cuts a page from rows read with one more than `pageSize`: that shows whether there is a next page, without a count.
 */
export function toPage<Row, T>(rows: Row[], request: PageRequest, map: (row: Row) => T): Page<T> {
  return {
    items: rows.slice(0, request.pageSize).map(map),
    pagination: {
      page: request.page,
      pageSize: request.pageSize,
      hasNextPage: rows.length > request.pageSize,
    },
  };
}

const queryInstant = dateOrInstantText.transform((text) => new Date(text));

/** `from` and `to` of every list that has them; both inclusive. */
export const dateRangeShape = {
  from: queryInstant.optional().meta({
    ...DATE_OR_INSTANT,
    description:
      "Earliest, inclusive, not after `to`: a date-time in the years 1970 to 9999 of UTC, or a date, which begins in the organization's time zone.",
  }),
  to: queryInstant.optional().meta({
    ...DATE_OR_INSTANT,
    description: "Latest, inclusive: a date-time, or a date, which ends in the organization's time zone.",
  }),
};

interface DateRange {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** For `.refine`: a range that ends before it begins is a mistake, not an empty list. */
export const isDateRange = ({ from, to }: DateRange): boolean => !from || !to || from <= to;
export const DATE_RANGE_PROBLEM = {
  path: ["from"],
  message: "must not be after to",
  when: onceReadable("from", "to"),
};

/** Specification, Part 2, "DateWindow". */
export const dateWindowSchema = z
  .strictObject({
    from: z.iso.datetime().describe("Where the window begins, inclusive."),
    to: z.iso.datetime().describe("Where it ends, inclusive."),
    truncated: z.boolean().describe("Whether the requested `from` was older than 90 days and was moved up."),
  })
  .meta({ id: "DateWindow", description: "The window that a list covers." });

/** The window that a list covers, both ends inclusive. */
export interface DateWindow {
  from: Date;
  to: Date;
  truncated: boolean;
}

export interface WindowedRequest extends PageRequest {
  window: DateWindow;
}

/** Clamps a requested range to the last 90 days before `now` (business time); the default is all of them. */
export function clampWindow(range: DateRange, now: Date): DateWindow {
  const earliest = new Date(now.getTime() - DATE_WINDOW_MS);
  const truncated = range.from !== undefined && range.from < earliest;
  const from = range.from === undefined || truncated ? earliest : range.from;
  const to = range.to ?? now;
  // A range entirely before the window is empty, at the window's beginning.
  return { from, to: to < from ? from : to, truncated };
}

export function toWindow(window: DateWindow): z.infer<typeof dateWindowSchema> {
  return { from: window.from.toISOString(), to: window.to.toISOString(), truncated: window.truncated };
}
