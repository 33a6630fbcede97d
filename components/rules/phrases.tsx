import type { Phrase } from "@/lib/contract/views/rule-parts";

/** A sentence with what a reader must not miss set strong. */
export function Phrases({ phrases }: { phrases: readonly Phrase[] }) {
  return phrases.map(({ text, isKey }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence has no other order than its own.
    isKey ? <b key={index}>{text}</b> : <span key={index}>{text}</span>,
  );
}
