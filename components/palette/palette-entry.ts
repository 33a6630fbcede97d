import type { ReactNode } from "react";
import type { Theme } from "@/lib/contract/views/shell-view";

/** One line of the palette. */
export interface PaletteEntry {
  id: string;
  icon: ReactNode;
  label: ReactNode;
  note: ReactNode;
  does:
    | { kind: "GO"; href: string }
    | { kind: "THEME"; theme: Theme }
    | { kind: "KEYS" }
    | { kind: "CLOSE_GATES" };
}

export interface PaletteGroup {
  title: string;
  entries: PaletteEntry[];
}

/**
 * Whether each word of what was typed begins a word of a label: `new pod`, `mov`, `api k`. Nothing typed matches all.
 * @param query in any case
 */
export function matchesWords(query: string, label: string): boolean {
  const words = wordsOf(label);
  return wordsOf(query).every((typed) => words.some((word) => word.startsWith(typed)));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,/-]+/)
    .filter((word) => word !== "");
}
