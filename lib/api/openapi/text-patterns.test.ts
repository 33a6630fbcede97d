import { expect, it } from "vitest";
import { describeText } from "@/lib/api/openapi/text-patterns";
import { nameSource, plainTextSource, TEXT_CLASSES } from "@/lib/contract/input/text-grammar";
import { NAME_FORMAT, PLAIN_TEXT_FORMAT } from "@/lib/contract/plain-text";

/** A new version of Unicode may place characters where none were. */
it("ranges refuse and allow every single character that the properties do", () => {
  const written = [PLAIN_TEXT_FORMAT, NAME_FORMAT].map(
    (format) => new RegExp(String(describeText(format).pattern), "u"),
  );
  const meant = [plainTextSource, nameSource].map((source) => new RegExp(source(TEXT_CLASSES), "v"));
  const differing: string[] = [];
  for (let code = 0; code <= 0x10_ff_ff; code += 1) {
    if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
    const character = String.fromCodePoint(code);
    const isSame = meant.every((one, place) => one.test(character) === written[place]?.test(character));
    if (!isSame) differing.push(code.toString(16));
  }
  expect(differing).toEqual([]);
});
