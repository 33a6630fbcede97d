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
      ? "A text that shows something: not only spaces and combining marks, and no U+FFFD, the mark of a lost letter. The spaces around it are removed. Otherwise like `PlainText`."
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

/**
 * In order, without surrogates: JSON in UTF-8 cannot hold one. Of the planes where Unicode places what a class can hold
 * (letters, marks, emoji; tags in plane 14): each start reads all of it, and all planes together took a third of a second.
 */
function everyCharacter(): string {
  return PLANES.map((plane) => {
    const text = charactersFrom(plane * PLANE, PLANE);
    return plane === 0 ? text.slice(0, 0xd8_00) + text.slice(0xe0_00) : text;
  }).join("");
}

const PLANES = [0, 1, 14];
const PLANE = 0x1_00_00;

/** Characters in order, those above plane 0 in pairs of surrogates. */
function charactersFrom(first: number, count: number): string {
  if (first < PLANE) return UTF_16.decode(Uint16Array.from({ length: count }, (_, index) => first + index));
  const units = new Uint16Array(2 * count);
  for (let index = 0; index < count; index += 1) {
    const offset = first + index - PLANE;
    units[2 * index] = 0xd8_00 + (offset >> 10);
    units[2 * index + 1] = 0xdc_00 + (offset & 0x3_ff);
  }
  return UTF_16.decode(units);
}

const UTF_16 = new TextDecoder("utf-16le", { ignoreBOM: true });

/** @param inside of a class, with properties */
function asRanges(inside: string, everything: string): string {
  const runs = everything.matchAll(new RegExp(`[${inside}]+`, "gv"));
  return Array.from(runs, ([run]) => {
    const first = String.fromCodePoint(run.codePointAt(0) ?? 0);
    const isPair = run.length > 1 && /[\uDC00-\uDFFF]$/.test(run);
    const last = run.slice(isPair ? -2 : -1);
    return first === last ? first : `${first}-${last}`;
  }).join("");
}
