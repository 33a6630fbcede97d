import { KEPT_ANSWER_CHARACTERS } from "@/lib/contract/webhooks";

/** Control and format characters forge lines and turn the direction of reading; a lone surrogate cannot be stored. */
const UNFIT = /(?![\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
const REPLACEMENT = "\uFFFD";

/** What a stranger's server said, made fit to be stored and shown: what is changed is changed visibly. */
export function answerText(said: string | Uint8Array): string {
  const text = typeof said === "string" ? said : new TextDecoder().decode(said);
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", " ")
    .slice(0, KEPT_ANSWER_CHARACTERS)
    .replace(UNFIT, REPLACEMENT);
}
