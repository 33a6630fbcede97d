import type { Phrase } from "@/lib/contract/rules/rule-parts";

/** A sentence with its key parts in bold. */
export function Phrases({ phrases }: { phrases: readonly Phrase[] }) {
  return phrases.map(({ text, isKey }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never reorder.
    isKey ? <b key={index}>{text}</b> : <span key={index}>{text}</span>,
  );
}
