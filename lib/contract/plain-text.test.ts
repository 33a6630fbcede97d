import { describe, expect, it } from "vitest";
import { skeletonOf } from "@/lib/contract/input/look-alike";
import { plainText, renderedName, seenJson, seenText } from "@/lib/contract/plain-text";

const isPlain = (text: string) => plainText(1_000).safeParse(text).success;

describe("a text by a caller", () => {
  it.each([
    ["a zero-width space", "\u200b"],
    ["a word joiner", "\u2060"],
    ["a soft hyphen", "\u00ad"],
    ["a Hangul filler", "\u3164"],
    ["a halfwidth Hangul filler", "\uffa0"],
    ["a Hangul choseong filler", "\u115f"],
    ["a blank of Braille", "\u2800"],
    ["a tag character", "\u{e0041}"],
    ["the language tag", "\u{e0001}"],
    ["a variation selector", "\ufe00"],
    ["a selector of a supplement", "\u{e0100}"],
    ["a grapheme joiner", "\u034f"],
    ["a Mongolian vowel separator", "\u180e"],
    ["a Khmer inherent vowel", "\u17b4"],
    ["an invisible plus", "\u2064"],
    ["a byte order mark", "\ufeff"],
    ["a bidirectional override", "\u202e"],
    ["an isolate", "\u2066"],
    ["a line separator", "\u2028"],
    ["a line feed", "\n"],
    ["half of a surrogate pair", "\ud83d"],
    ["a joiner between Latin letters", "\u200d"],
    ["a non-joiner between Latin letters", "\u200c"],
    ["an emoji selector after a letter", "\ufe0f"],
  ])("is refused with %s in it", (_what, character) => {
    expect(isPlain(`Ta${character}xes`)).toBe(false);
  });

  it.each([
    ["tags behind a flag", "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}"],
    ["two joiners in a row", "\u0645\u200c\u200c\u0646"],
    ["a joiner at the end", "\u0645\u200d"],
    ["a joiner behind an emoji alone", "\u{1f469}\u200d"],
    ["two emoji selectors in a row", "\u2764\ufe0f\ufe0f"],
  ])("is refused with %s", (_what, text) => expect(isPlain(text)).toBe(false));

  it.each([
    ["Persian with a non-joiner", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
    ["Hindi with a joiner", "\u0915\u094d\u200d\u0937"],
    ["Sinhala with a joiner", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"],
    ["a family", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
    ["an astronaut with a color of skin", "\u{1f469}\u{1f3fd}\u200d\u{1f680}"],
    ["a red heart", "\u2764\ufe0f"],
    ["a heart on fire", "\u2764\ufe0f\u200d\u{1f525}"],
    ["a keycap", "1\ufe0f\u20e3"],
    ["Japanese", "\u7a0e\u91d1\u3000\u53e3\u5ea7"],
    ["accents of their own", "e\u0301te\u0301"],
  ])("may be %s", (_what, text) => expect(isPlain(text)).toBe(true));
});

describe("a text from outside", () => {
  it("is kept, and what nobody sees in it becomes visible", () => {
    expect(seenText("CAF\u00c9\u200b 24\u202e7 \u2764\ufe0f", "?")).toBe("CAF\u00c9? 24?7 \u2764\ufe0f");
  });

  it("is made visible anywhere in an answer", () => {
    const answer = { items: [{ description: "Pay\u2060pal", amountInCents: 5, at: null }] };
    expect(seenJson(answer)).toEqual({
      items: [{ description: "Pay\uFFFDpal", amountInCents: 5, at: null }],
    });
  });
});

it.each([
  ["Taxes", "Тaxes"],
  ["Taxes", "Tаxеѕ"],
  ["Operating", "Οperating"],
  ["Savings 10", "Savings lO"],
  ["Reserve", "Réserve"],
  ["Payroll", "Pay roll"],
  ["Payroll", "Pay\u200broll"],
  ["ＡＣＭＥ", "acme"],
  ["Mıra", "Mira"],
  ["İnc", "Inc"],
  ["Pay–roll", "Pay-roll"],
  ["O’Neil", "O'Neil"],
  ["ᴀcme", "Acme"],
  ["Ꭺcme", "Acme"],
  ["ꓮcme", "Acme"],
  ["Tax — Q1", "Tax - Q1"],
  ["Nørd", "Nord"],
  ["\u0397arbor Print", "Harbor Print"],
  ["\u039dova \u0395nergy", "Nova Energy"],
  ["\u0392ay \u03a5achts", "Bay Yachts"],
  ["\u051davelength", "wavelength"],
  ["Marlovv Legal", "Marlow Legal"],
  ["Bam Rentals", "Barn Rentals"],
])("%s and %s look the same", (left, right) => expect(skeletonOf(left)).toBe(skeletonOf(right)));

it.each([
  ["Taxes", "Texas"],
  ["Taxes 2025", "Taxes 2026"],
  ["Рента", "Renta"],
])("%s and %s do not", (left, right) => expect(skeletonOf(left)).not.toBe(skeletonOf(right)));

it.each([
  ["Acme  Supply", "Acme Supply"],
  ["Acme\u00a0Supply", "Acme Supply"],
  ["Acme\u3000Supply", "Acme Supply"],
  ["Acme\u2003Supply", "acme supply"],
  ["Ａｃｍｅ Supply", "Acme Supply"],
  ["Mıra", "Mira"],
  ["MİRA", "Mira"],
  ["Cafe\u0301", "Café"],
])("%s and %s are one name", (left, right) => expect(renderedName(left)).toBe(renderedName(right)));

it.each([
  ["Café", "Cafe"],
  ["Acme Supply", "AcmeSupply"],
  ["Acme 1", "Acme l"],
])("%s and %s are two names", (left, right) => expect(renderedName(left)).not.toBe(renderedName(right)));
