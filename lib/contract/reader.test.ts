import { expect, test } from "vitest";
import { PLAIN_MONEY } from "@/lib/contract/money-format";
import { firstLanguage, moneyFormatOfReader, parseZone } from "@/lib/contract/reader";

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
])("the cookie %j is no zone, so the organization's is shown", (zone) => {
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
