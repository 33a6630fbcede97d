import { z } from "zod";
import { DEFAULT_PAGE_SIZE, MAXIMUM_PAGE, MAXIMUM_PAGE_SIZE } from "@/lib/contract/limits";

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
