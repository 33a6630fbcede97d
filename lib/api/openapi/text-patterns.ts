import type { JsonSchema } from "@/lib/api/openapi/json-schema";
import {
  nameSource,
  plainTextSource,
  TEXT_CLASSES,
  type TextClasses,
} from "@/lib/contract/input/text-grammar";
import { NAME_FORMAT, PLAIN_TEXT_FORMAT } from "@/lib/contract/plain-text";

/** The components for texts by callers, by the format that marks them in `lib/contract`. */
export const TEXT_COMPONENTS: Readonly<Record<string, string>> = {
  [PLAIN_TEXT_FORMAT]: "PlainText",
  [NAME_FORMAT]: "Name",
};

/** The schema of a component in `TEXT_COMPONENTS`. */
export function describeText(format: string): JsonSchema {
  written ??= rangesOf(TEXT_CLASSES);
  const isName = format === NAME_FORMAT;
  return {
    type: "string",
    pattern: isName ? nameSource(written) : plainTextSource(written),
    description: isName
      ? "A text that shows something: not only spaces and combining marks. The spaces around it are removed. Otherwise like `PlainText`."
      : "A text without control characters, line breaks, direction marks and invisible characters; joiners are allowed where a script or an emoji needs them.",
  };
}

let written: TextClasses | undefined;

/** Unicode properties as ranges of characters: most engines that read JSON Schema do not know the properties. */
function rangesOf({ unseen, joining, pictographs, skinTones, blank }: TextClasses): TextClasses {
  const everything = everyCharacter();
  return {
    unseen: asRanges(unseen, everything),
    // A joining script's own invisible characters are refused, too.
    joining: asRanges(`[${joining}]--[${unseen}]`, everything),
    pictographs: asRanges(pictographs, everything),
    skinTones: asRanges(skinTones, everything),
    blank: asRanges(blank, everything),
  };
}

/** In order, without surrogates: JSON in UTF-8 cannot hold one. */
function everyCharacter(): string {
  const blocks: string[] = [];
  for (let first = 0; first <= 0x10_ff_ff; first += BLOCK) {
    const codes = Array.from({ length: BLOCK }, (_, index) => first + index);
    blocks.push(String.fromCodePoint(...codes.filter((code) => code < 0xd8_00 || code > 0xdf_ff)));
  }
  return blocks.join("");
}

const BLOCK = 4_096;

/** @param inside of a class, with properties */
function asRanges(inside: string, everything: string): string {
  const runs = everything.matchAll(new RegExp(`[${inside}]+`, "gv"));
  return Array.from(runs, ([run]) => {
    const characters = [...run];
    const [first = "", last = ""] = [characters[0], characters.at(-1)];
    return first === last ? first : `${first}-${last}`;
  }).join("");
}
