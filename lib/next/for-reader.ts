import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import { type MoneyFormat, moneyFormatOf, PLAIN_MONEY } from "@/lib/contract/money-format";
import { firstLanguage, parseZone, type Reader, ZONE_COOKIE } from "@/lib/contract/reader";

/** Languages that were asked for and what they came to; a hostile client cannot make it grow. */
const MAXIMUM_REMEMBERED = 200;
const remembered = new Map<string, MoneyFormat>();

/**
 * Lets every text that is written during one request of the dashboard be written for its reader. Called once, by the
 * launcher. The process's global object holds the way to it, for the reasons of `Runtime`.
 */
export function openForReader(): <Result>(headers: IncomingHttpHeaders, handle: () => Result) => Result {
  const storage = new AsyncLocalStorage<Reader>();
  globalThis.sluiceReader = () => storage.getStore();
  return (headers, handle) => storage.run(readReader(headers), handle);
}

/** Who reads, by what their browser sends with each request. */
export function readReader(headers: Pick<IncomingHttpHeaders, "cookie" | "accept-language">): Reader {
  const language = firstLanguage(headers["accept-language"]);
  return {
    money: language === null ? PLAIN_MONEY : formatOf(language),
    timeZone: parseZone(readCookie(headers.cookie, ZONE_COOKIE)),
  };
}

function formatOf(language: string): MoneyFormat {
  const known = remembered.get(language);
  if (known) return known;
  const format = moneyFormatOf(language);
  if (remembered.size < MAXIMUM_REMEMBERED) remembered.set(language, format);
  return format;
}

function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(";", 100).find((each) => each.trim().startsWith(`${name}=`));
  if (!pair) return undefined;
  try {
    return decodeURIComponent(pair.slice(pair.indexOf("=") + 1).trim());
  } catch {
    return undefined;
  }
}
