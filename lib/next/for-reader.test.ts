import { afterEach, expect, test } from "vitest";
import { formatCents, writeCents } from "@/lib/contract/format-cents";
import { openForReader, readReader } from "@/lib/next/for-reader";

afterEach(() => {
  globalThis.sluiceReader = undefined;
});

test("two requests at the same time are each written for their own reader", async () => {
  const forReader = openForReader();
  const write = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return [formatCents(425_000), writeCents(425_000)];
  };
  const [german, american] = await Promise.all([
    forReader({ "accept-language": "de-DE,en;q=0.5" }, write),
    forReader({ "accept-language": "en-US" }, write),
  ]);
  expect(german).toEqual(["4.250,00\u00a0$", "$4,250.00"]);
  expect(american).toEqual(["$4,250.00", "$4,250.00"]);
  expect(formatCents(425_000)).toBe("$4,250.00");
});

test.each([
  ["theme=DARK; zone=Europe%2FBerlin; x=1", "Europe/Berlin"],
  ["zone=America/New_York", "America/New_York"],
  ["timezone=Europe/Berlin", null],
  ["zone=%E0%A4%A", null],
  [`${"a=1; ".repeat(200)}zone=UTC`, null],
  [undefined, null],
])("the cookies %j say the zone %s", (cookie, timeZone) => {
  expect(readReader({ cookie }).timeZone).toBe(timeZone);
});
