import pg from "pg";

/** Types of PostgreSQL by their number in `pg_type`; `pg` names no array types. */
const INT8_ARRAY = 1016;
const DATE_ARRAY = 1182;

const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, parseBigint],
  [INT8_ARRAY, (text) => parseArray(text, parseBigint)],
  // A banking day has no time zone: as a `Date` of the machine's zone it would become another day.
  [pg.types.builtins.DATE, (text) => text],
  [DATE_ARRAY, (text) => parseArray(text, (item) => item)],
]);

/**
 * How columns arrive: `bigint` as a safe number, `date` as `YYYY-MM-DD`, `timestamptz` as `Date`, `numeric` as text,
 * so `sum()` over a `bigint` needs a cast to come as a number. The rest is as `pg` does it.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(type, format) {
    return (format !== "binary" && parsers.get(type)) || pg.types.getTypeParser(type, format);
  },
};

/** @throws RangeError beyond ±(2^53 - 1): an amount that JavaScript would round must never be calculated with. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The bigint ${text} is too large for a JavaScript number.`);
  return value;
}

/** Flat arrays of items without quotes. */
function parseArray<T>(text: string, parseItem: (item: string) => T): (T | null)[] {
  if (text === "{}") return [];
  return text
    .slice(1, -1)
    .split(",")
    .map((item) => (item === "NULL" ? null : parseItem(item)));
}
