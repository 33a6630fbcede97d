import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { formatInSentence, formatMoment, formatShortDay } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";

const TIME = { nowAt: "2026-11-23T15:00:00.000Z", timeZone: "UTC", locale: "en-US" };
const AT = "2026-11-19T16:40:00.000Z";

const linesOf = (format: typeof formatMoment) =>
  [
    ...renderToStaticMarkup(<Moment at={AT} time={TIME} format={format} />).matchAll(
      /<span[^>]*>(.*?)<\/span>/g,
    ),
  ].map(([, words]) => words?.replaceAll("\u00a0", " "));

test("in a narrow column a moment breaks before its clock, never within the day", () => {
  expect(linesOf(formatMoment)).toEqual(["Thu, Nov 19,", "4:40 PM"]);
  expect(linesOf(formatInSentence)).toEqual(["on Thu, Nov 19 at", "4:40 PM"]);
  expect(linesOf(formatShortDay)).toEqual(["Nov 19"]);
});
