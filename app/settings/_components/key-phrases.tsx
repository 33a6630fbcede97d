import { Fragment } from "react";
import type { Phrase } from "@/lib/words/keys/key-phrases";

export function KeyPhrases({ phrases }: { phrases: readonly Phrase[] }) {
  return phrases.map((phrase, index) =>
    typeof phrase === "string" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence have no other identity
      <Fragment key={index}>{phrase}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence have no other identity
      <b key={index}>{phrase.strong}</b>
    ),
  );
}
