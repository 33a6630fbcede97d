import { z } from "zod";
import { DATE_WINDOW_MS, DEFAULT_PAGE_SIZE, MAXIMUM_PAGE, MAXIMUM_PAGE_SIZE } from "@/lib/contract/limits";

/** Query values are text: digits only, so that an empty, signed, fractional or hexadecimal value is refused. */
const integerText = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${minimum} to ${maximum}`)
    .transform(Number)
    .pipe(
      z
        .int()
        .min(minimum, `must be a whole number from ${minimum} to ${maximum}`)
        .max(maximum, `must be a whole number from ${minimum} to ${maximum}`),
    );

/** `page` and `pageSize` of every list (specification, Part 4, "Common headers and parameters"). */
export const pageQueryShape = {
  page: integerText(1, MAXIMUM_PAGE).default(1).describe("Which page, from 1. One beyond the last is empty."),
  pageSize: integerText(1, MAXIMUM_PAGE_SIZE).default(DEFAULT_PAGE_SIZE).describe("Items per page."),
};

export interface PageRequest {
  page: number;
  pageSize: number;
}

const paginationSchema = z
  .strictObject({
    page: z.int().min(1).describe("The page that this is, from 1."),
    pageSize: z.int().min(1).describe("Items per page."),
    hasNextPage: z.boolean().describe("Whether there is a further page."),
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

/** Cuts a page out of rows that were read with one more than `pageSize`: whether there is a next page needs no count. */
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

/** A date-time of a query, with its zone. */
const instantText = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 date-time with a zone", abort: true })
  // A zone can carry a night over the end of 9999, and a default reaches back before a `to`: neither could be answered
  // as a date-time.
  .refine((text) => /^(19[7-9]|[2-9]\d\d)\d-/.test(new Date(text).toISOString()), {
    message: "must lie in the years 1970 to 9999 of UTC",
    abort: true,
  })
  .transform((text) => new Date(text));

/** `from` and `to` of every list that has them; both inclusive. */
export const dateRangeShape = {
  from: instantText.optional().describe("Earliest, inclusive."),
  to: instantText.optional().describe("Latest, inclusive."),
};

interface DateRange {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** For `.refine`: a range that ends before it begins is a mistake, not an empty list. */
export const isDateRange = ({ from, to }: DateRange): boolean => !from || !to || from <= to;
export const DATE_RANGE_PROBLEM = { path: ["from"], message: "must not be after to" };

/** Specification, Part 2, "DateWindow". */
export const dateWindowSchema = z
  .strictObject({
    from: z.iso.datetime().describe("Where it really begins, inclusive."),
    to: z.iso.datetime().describe("Where it ends, inclusive."),
    truncated: z
      .boolean()
      .describe("Whether the `from` asked for was older than 90 days, and was moved up to there."),
  })
  .meta({ id: "DateWindow", description: "The window that a list really shows." });

/** The window that a list really shows, both ends inclusive. */
export interface DateWindow {
  from: Date;
  to: Date;
  truncated: boolean;
}

export interface WindowedRequest extends PageRequest {
  window: DateWindow;
}

/** Clamps a requested range to the last 90 days before `now` (business time); without one it is all of them. */
export function clampWindow(range: DateRange, now: Date): DateWindow {
  const earliest = new Date(now.getTime() - DATE_WINDOW_MS);
  const truncated = range.from !== undefined && range.from < earliest;
  const from = range.from === undefined || truncated ? earliest : range.from;
  const to = range.to ?? now;
  // A range that lies wholly before the window shows nothing, at the window's beginning.
  return { from, to: to < from ? from : to, truncated };
}

export function toWindow(window: DateWindow): z.infer<typeof dateWindowSchema> {
  return { from: window.from.toISOString(), to: window.to.toISOString(), truncated: window.truncated };
}
