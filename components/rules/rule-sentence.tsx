import { Ban, Check, Flag } from "lucide-react";
import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { AccountNames, Phrase } from "@/lib/contract/views/rule-parts";
import { checkWords } from "@/lib/engine/words/activation-words";

/** Characters of the sentence shown at first; most rules are shorter. */
const OPENING = 900;

/** The rule in words. A long one shows its start; the full text expands. */
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
        <summary className="link">Full rule in words</summary>
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

/** A sentence with its key parts in bold. */
export function Phrases({ phrases }: { phrases: readonly Phrase[] }) {
  return phrases.map(({ text, isKey }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never reorder.
    isKey ? <b key={index}>{text}</b> : <span key={index}>{text}</span>,
  );
}

const ORDER = { BLOCKS: 0, LOOK: 1, CLEAR: 2 } as const;

/** The checks, blocking ones first. */
export function ActivationChecks({ checks, names }: { checks: ActivationCheck[]; names: AccountNames }) {
  const ordered = [...checks].sort((one, other) => ORDER[one.outcome] - ORDER[other.outcome]);
  return (
    <ul className="checks">
      {ordered.map((check) => {
        const { title, text } = checkWords(check, names);
        return (
          <li key={check.kind}>
            <OutcomeIcon outcome={check.outcome} />
            <div>
              <b>{title}</b>
              {text ? <p>{text}</p> : null}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function OutcomeIcon({ outcome }: Pick<ActivationCheck, "outcome">) {
  if (outcome === "CLEAR") return <Check className="ic ok" role="img" aria-label="Clear" />;
  if (outcome === "LOOK") return <Flag className="ic look" role="img" aria-label="Review" />;
  return <Ban className="ic look" role="img" aria-label="Blocks activation" />;
}
