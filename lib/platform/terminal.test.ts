import { expect, it } from "vitest";
import { terminalText } from "@/lib/platform/terminal";

it.each([
  ["a sequence that clears the screen", "a\u001b[2Jb", "a\\u{1b}[2Jb"],
  ["one of a single character", "a\u009b2Jb", "a\\u{9b}2Jb"],
  ["one that renames the window", "\u001b]0;sluice\u0007", "\\u{1b}]0;sluice\\u{7}"],
  ["a carriage return over printed text", "key\rnot the key", "key\\u{d}not the key"],
  ["an injected line", "key\nRevoked.", "key\\u{a}Revoked."],
  ["a bidirectional override", "\u202e00.1$", "\\u{202e}00.1$"],
  ["a space without width", "Tax\u200bes", "Tax\\u{200b}es"],
])("%s is written out", (_, text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

it("text in any script stays unchanged", () => {
  expect(terminalText("Zürich مصر 東京 €4,250.00")).toBe("Zürich مصر 東京 €4,250.00");
});
