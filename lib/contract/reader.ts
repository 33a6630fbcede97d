import { processValues } from "@/lib/contract/process-values";

/** What is known about the reader of a page: it affects how money and time are written, never what is done. */
export interface Reader {
  money: MoneyFormat;
  dates: DateForm;
  /** IANA name of the browser's zone; null until known. */
  timeZone: string | null;
}

declare global {
  interface ProcessValues {
    currentReader: () => Reader | undefined;
  }
}

/**
 * How to write money for the current reader: on the server from the page's request (lib/next/page-request.ts), in the
 * browser from the attribute on `<html>`, so that both always agree. Plain everywhere else: in the API, in messages,
 * in the worker.
 */
export function moneyFormatOfReader(): MoneyFormat {
  if (typeof document !== "undefined") return parseMoneyFormatCode(document.documentElement.dataset.money);
  return processValues().currentReader?.()?.money ?? PLAIN_MONEY;
}

/** The same for dates and times of day. */
export function dateFormOfReader(): DateForm {
  if (typeof document !== "undefined") return parseDateFormCode(document.documentElement.dataset.dates);
  return processValues().currentReader?.()?.dates ?? PLAIN_DATES;
}

/** Name of the cookie with the browser's time zone. It holds no secret. */
export const ZONE_COOKIE = "zone";

/** A year, in seconds. */
export const ZONE_COOKIE_MAX_AGE_SECONDS = 31_536_000;

const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]{0,31}(?:\/[A-Za-z0-9_+-]{1,31}){0,2}$/;

/** The zone in a cookie's value; null for a zone unknown to this server. */
export function parseZone(value: string | undefined): string | null {
  if (value === undefined || !ZONE_NAME.test(value)) return null;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: value });
    return value;
  } catch {
    return null;
  }
}

/** A browser sends a few languages, preferred first; no browser sends more. */
const MAXIMUM_HEADER_LENGTH = 300;

/** The first language of an `Accept-Language`; null without one. */
export function firstLanguage(header: string | undefined): string | null {
  if (header === undefined || header.length > MAXIMUM_HEADER_LENGTH) return null;
  const first = header.split(",", 1)[0]?.split(";", 1)[0]?.trim();
  return first ? first : null;
}

/** How money is written in the reader's region. */
export interface MoneyFormat {
  /** Between thousands. */
  group: string;
  decimal: "." | ",";
  /** Where the dollar sign goes. */
  sign: "BEFORE" | "BEFORE_AND_SPACE" | "AFTER";
}

/** `$4,250.00`: for what is stored or sent, and for unknown readers. */
export const PLAIN_MONEY: MoneyFormat = { group: ",", decimal: ".", sign: "BEFORE" };

const NO_BREAK_SPACE = "\u00a0";

/** Thousands separators, with look-alikes that people type. */
const GROUPS = [",", ".", "’", NO_BREAK_SPACE] as const;
const SIGNS = ["BEFORE", "BEFORE_AND_SPACE", "AFTER"] as const;

/** Every format Sluice writes, by a code for attributes: a closed list, so that nothing hostile gets in. */
const FORMATS: ReadonlyMap<string, MoneyFormat> = new Map(
  GROUPS.flatMap((group) =>
    ([".", ","] as const)
      .filter((decimal) => decimal !== group)
      .flatMap((decimal) =>
        SIGNS.map((sign): [string, MoneyFormat] => [
          moneyFormatCode({ group, decimal, sign }),
          { group, decimal, sign },
        ]),
      ),
  ),
);

/** No browser sends a longer tag. */
const MAXIMUM_TAG_LENGTH = 35;

/** The code of a format, e.g. `44-46-BEFORE`: characters by number, so that no space is lost in an attribute. */
export function moneyFormatCode({ group, decimal, sign }: MoneyFormat): string {
  return `${group.charCodeAt(0)}-${decimal.charCodeAt(0)}-${sign}`;
}

/** The format of a code; unknown codes are plain. */
export function parseMoneyFormatCode(code: string | undefined): MoneyFormat {
  return FORMATS.get(code ?? "") ?? PLAIN_MONEY;
}

/**
 * How a reader's language writes dollars, from the platform's own tables, with Latin digits and thousands in groups
 * of three. Unknown and hostile tags, and formats not in the list, give the plain format.
 * @param tag as a browser sends it, e.g. `de-DE`
 */
export function moneyFormatOf(tag: string): MoneyFormat {
  const locale = canonicalTag(tag);
  if (locale === null) return PLAIN_MONEY;
  const parts = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    numberingSystem: "latn",
  }).formatToParts(1_234_567.89);
  const textOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? "";
  const place = (type: Intl.NumberFormatPartTypes) => parts.findIndex((part) => part.type === type);
  const isAfter = place("currency") > place("integer");
  const hasSpace = /\s/.test(parts[place("currency") + 1]?.value ?? "");
  const sign = isAfter ? "AFTER" : hasSpace ? "BEFORE_AND_SPACE" : "BEFORE";
  return (
    FORMATS.get(`${sameLook(textOf("group")).charCodeAt(0)}-${textOf("decimal").charCodeAt(0)}-${sign}`) ??
    PLAIN_MONEY
  );
}

/** A tag in canonical form, without extensions that could request other digits; null for an invalid tag. */
function canonicalTag(tag: string): string | null {
  if (tag.length > MAXIMUM_TAG_LENGTH) return null;
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical === undefined ? null : new Intl.Locale(canonical).baseName;
  } catch {
    return null;
  }
}

function sameLook(group: string): string {
  if (/^\s$/.test(group)) return NO_BREAK_SPACE;
  return group === "'" ? "’" : group;
}

/** How dates and times of day are written in the reader's region. Months and weekdays stay English, like all text. */
export interface DateForm {
  order: "MONTH_FIRST" | "DAY_FIRST";
  clock: "12" | "24";
}

/** `Nov 19, 4:40 PM`: for messages, and for unknown readers. */
export const PLAIN_DATES: DateForm = { order: "MONTH_FIRST", clock: "12" };

const DATE_FORMS: ReadonlyMap<string, DateForm> = new Map(
  (["MONTH_FIRST", "DAY_FIRST"] as const).flatMap((order) =>
    (["12", "24"] as const).map((clock): [string, DateForm] => [
      dateFormCode({ order, clock }),
      { order, clock },
    ]),
  ),
);

/** The code of a form, for an attribute: `MONTH_FIRST-12`. */
export function dateFormCode({ order, clock }: DateForm): string {
  return `${order}-${clock}`;
}

/** The form of a code; unknown codes are plain. */
export function parseDateFormCode(code: string | undefined): DateForm {
  return DATE_FORMS.get(code ?? "") ?? PLAIN_DATES;
}

/** How a reader's language writes dates, from the platform's own tables; plain for unknown and hostile tags. */
export function dateFormOf(tag: string): DateForm {
  const locale = canonicalTag(tag);
  if (locale === null) return PLAIN_DATES;
  const format = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", hour: "numeric" });
  const types = format.formatToParts(0).map(({ type }) => type);
  return {
    order: types.indexOf("day") < types.indexOf("month") ? "DAY_FIRST" : "MONTH_FIRST",
    clock: format.resolvedOptions().hourCycle?.startsWith("h1") ? "12" : "24",
  };
}
