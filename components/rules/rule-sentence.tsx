import { Phrases } from "@/components/rules/phrases";
import type { Phrase } from "@/lib/contract/views/rule-parts";

/** Characters of a sentence that a page opens with; most rules are shorter. */
const OPENING = 900;

/** The rule in words. One that is longer than a page says its beginning; the whole is one press away, never cut. */
export function RuleSentence({ phrases }: { phrases: readonly Phrase[] }) {
  const opening = openingOf(phrases);
  if (opening.length === phrases.length) {
    return (
      <p className="sentence display">
        <Phrases phrases={phrases} />
      </p>
    );
  }
  return (
    <div className="sent-l">
      <p className="sentence display">
        <Phrases phrases={opening} /> …
      </p>
      <details>
        <summary className="link">The whole rule in words</summary>
        <p className="ink2">
          <Phrases phrases={phrases} />
        </p>
      </details>
    </div>
  );
}

function openingOf(phrases: readonly Phrase[]): readonly Phrase[] {
  let length = 0;
  const end = phrases.findIndex(({ text }) => {
    length += text.length;
    return length > OPENING;
  });
  return end === -1 ? phrases : phrases.slice(0, Math.max(1, end));
}
