import { type MoneyFormat, PLAIN_MONEY, parseMoneyFormatCode } from "@/lib/contract/money-format";

/** What is known of whoever reads a page: it changes how money and time are written, never what is done. */
export interface Reader {
  money: MoneyFormat;
  /** IANA name of the zone of their browser; null until it has said one. */
  timeZone: string | null;
}

declare global {
  // `var` is what a declaration of a global needs.
  var sluiceReader: (() => Reader | undefined) | undefined;
}

/**
 * How money is written for whoever reads this: on the server for the page's request (lib/next/page-request.ts), in the
 * browser as the server wrote on `<html>`, so that both always write the same. Plain everywhere else: in the API, in
 * messages, in the worker.
 */
export function moneyFormatOfReader(): MoneyFormat {
  if (typeof document !== "undefined") return parseMoneyFormatCode(document.documentElement.dataset.money);
  return globalThis.sluiceReader?.()?.money ?? PLAIN_MONEY;
}

/** Name of the cookie with the browser's time zone. It holds no secret. */
export const ZONE_COOKIE = "zone";

/** A year, in seconds. */
export const ZONE_COOKIE_MAX_AGE_SECONDS = 31_536_000;

const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]{0,31}(?:\/[A-Za-z0-9_+-]{1,31}){0,2}$/;

/** The zone in a cookie's value; null for whatever is no zone that this server knows. */
export function parseZone(value: string | undefined): string | null {
  if (value === undefined || !ZONE_NAME.test(value)) return null;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: value });
    return value;
  } catch {
    return null;
  }
}

/** A browser says a few languages, the most wanted first; more is no browser. */
const MAXIMUM_HEADER_LENGTH = 300;

/** The first language of an `Accept-Language`; null where none is said. */
export function firstLanguage(header: string | undefined): string | null {
  if (header === undefined || header.length > MAXIMUM_HEADER_LENGTH) return null;
  const first = header.split(",", 1)[0]?.split(";", 1)[0]?.trim();
  return first ? first : null;
}
