import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatCents, parseCentsIn } from "@/lib/contract/format-cents";
import {
  dateFormCode,
  dateFormOf,
  dateFormOfReader,
  firstLanguage,
  type MoneyFormat,
  moneyFormatCode,
  moneyFormatOf,
  moneyFormatOfReader,
  PLAIN_DATES,
  PLAIN_MONEY,
  parseDateFormCode,
  parseMoneyFormatCode,
  parseZone,
} from "@/lib/contract/reader";

test.each(["Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC", "Asia/Calcutta"])(
  "%s is a zone",
  (zone) => {
    expect(parseZone(zone)).toBe(zone);
  },
);

test.each([
  undefined,
  "",
  "Mars/Olympus",
  "+05:30",
  "Europe/Berlin; path=/",
  "../../etc/passwd",
  '"><script>',
  "Europe/Berlin\u0000",
  "A".repeat(5_000),
])("the cookie %j is not a zone, so the organization's is shown", (zone) => {
  expect(parseZone(zone)).toBeNull();
});

test.each([
  ["de-DE,de;q=0.9,en;q=0.8", "de-DE"],
  ["en", "en"],
  [" fr-CH ;q=1", "fr-CH"],
  ["", null],
  [undefined, null],
  [`de,${"x".repeat(400)}`, null],
])("of %j the first language is %s", (header, language) => {
  expect(firstLanguage(header)).toBe(language);
});

test("money is plain where there is no reader: in the API, in messages, in the worker", () => {
  expect(moneyFormatOfReader()).toEqual(PLAIN_MONEY);
});

const LANGUAGES = [
  "en-US",
  "de-DE",
  "de-AT",
  "de-CH",
  "fr-FR",
  "nl-NL",
  "pt-BR",
  "sv-SE",
  "tr-TR",
  "ja-JP",
  "pl-PL",
];
const FORMATS: MoneyFormat[] = LANGUAGES.map(moneyFormatOf);

describe("money as its reader writes it", () => {
  test.each([
    ["en-US", "−$4,250,000.00"],
    ["de-DE", "−4.250.000,00\u00a0$"],
    ["de-AT", "−$\u00a04.250.000,00"],
    ["de-CH", "−$\u00a04’250’000.00"],
    ["fr-FR", "−4\u00a0250\u00a0000,00\u00a0$"],
    ["tr-TR", "−$4.250.000,00"],
    ["ar-EG", "−4,250,000.00\u00a0$"],
  ])("%s reads %s", (language, text) => {
    expect(formatCents(-425_000_000, "never", moneyFormatOf(language))).toBe(text);
  });

  test.each(["", "*", "x", "de-DE;q=1", "../../etc", '"><script>', "de-u-nu-arab".repeat(9), "\u0000"])(
    "%j is not a language, and changes nothing",
    (tag) => {
      expect(moneyFormatOf(tag)).toEqual(PLAIN_MONEY);
    },
  );

  test("digits stay Latin, whatever a tag asks for", () => {
    expect(formatCents(100, "never", moneyFormatOf("de-DE-u-nu-arab"))).toBe("1,00\u00a0$");
  });

  test("the code on the page means the same in the browser, and no other code means anything", () => {
    for (const format of FORMATS) expect(parseMoneyFormatCode(moneyFormatCode(format))).toEqual(format);
    for (const code of [undefined, "", "44-44-BEFORE", "60-46-BEFORE", "44-46-<script>"]) {
      expect(parseMoneyFormatCode(code)).toEqual(PLAIN_MONEY);
    }
  });
});

describe("dates as their reader writes them", () => {
  test.each([
    ["en-US", "MONTH_FIRST-12"],
    ["en-GB", "DAY_FIRST-24"],
    ["en-AU", "DAY_FIRST-12"],
    ["de-DE", "DAY_FIRST-24"],
    ["fr-CA", "DAY_FIRST-24"],
    ["ja-JP", "MONTH_FIRST-24"],
  ])("%s is %s, and means the same in the browser", (language, code) => {
    expect(dateFormCode(dateFormOf(language))).toBe(code);
    expect(parseDateFormCode(code)).toEqual(dateFormOf(language));
  });

  test.each(["", "*", "x", "de-DE;q=1", '"><script>', "de-u-hc-h12".repeat(9), "\u0000"])(
    "%j is not a language, and changes nothing",
    (tag) => {
      expect(dateFormOf(tag)).toEqual(PLAIN_DATES);
    },
  );

  test("an unknown code is plain, and so are dates without a reader", () => {
    expect(parseDateFormCode('"><script>')).toEqual(PLAIN_DATES);
    expect(parseDateFormCode(undefined)).toEqual(PLAIN_DATES);
    expect(dateFormOfReader()).toEqual(PLAIN_DATES);
  });
});

describe("an amount that is typed", () => {
  test("is read as it is shown, in every format", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FORMATS),
        fc.integer({ min: 0, max: 100_000_000_000_000 }),
        (format, cents) => {
          expect(parseCentsIn(format, formatCents(cents, "never", format))).toBe(cents);
        },
      ),
    );
  });

  test("is never one amount to one reader and another amount to the next", () => {
    const written = fc.stringMatching(/^\$?[0-9]{1,4}([.,’ ][0-9]{1,3}){0,3} ?\$?$/);
    fc.assert(
      fc.property(written, (text) => {
        const amounts = FORMATS.map((format) => parseCentsIn(format, text)).filter((cents) => cents !== null);
        const [first] = amounts;
        expect(amounts.every((cents) => cents === first)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    ["4250", 425_000],
    ["4.250", 425_000],
    ["4.250,5", 425_050],
    ["4250,00 $", 425_000],
    ["$ 4.250,00", 425_000],
    ["4,250", null],
    ["4,250.00", null],
    ["4.25", null],
    ["4.2500", null],
    ["1,2,3", null],
    ["-1", null],
    ["$1$", null],
    [",5", null],
  ])("%s in German is %s", (text, cents) => {
    expect(parseCentsIn(moneyFormatOf("de-DE"), text)).toBe(cents);
  });
});
