import type { ReactNode } from "react";
import { CheckItem, Checklist, OutcomeIcon } from "@/components/ui/checklist";
import { LINK, WHOLE_SENTENCE } from "@/components/ui/text-styles";
import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { AccountNames, Phrase } from "@/lib/contract/rules/rule-parts";
import { checkWords } from "@/lib/words/rules/activation-words";

/** Characters of the sentence shown at first; most rules are shorter. */
const OPENING = 900;

const RULE_SENTENCE = `mt-8 wrap-anywhere ${WHOLE_SENTENCE}`;

/** The rule in words. A long one shows its start; the full text expands. */
export function RuleSentence({ phrases }: { phrases: readonly Phrase[] }) {
  const opening = openingOf(phrases);
  if (opening.length === phrases.length) {
    return (
      <p className={RULE_SENTENCE}>
        <Phrases phrases={phrases} />
      </p>
    );
  }
  return (
    <div className="[&_details]:mt-3 [&_details_p]:max-w-[90ch] [&_details_p]:mt-2 [&_details_p]:wrap-anywhere [&_summary]:inline-block [&_summary]:min-h-6 [&_summary]:cursor-pointer">
      <p className={RULE_SENTENCE}>
        <Phrases phrases={opening} /> …
      </p>
      <details>
        <summary className={LINK}>Full rule in words</summary>
        <p className="text-ink-2">
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

interface ActivationChecksProps {
  checks: ActivationCheck[];
  names: AccountNames;
  /** Checks that are read later. */
  children?: ReactNode;
}

/** The checks, blocking ones first. */
export function ActivationChecks({ checks, names, children }: ActivationChecksProps) {
  const items = (isClear: boolean) =>
    [...checks]
      .sort((one, other) => ORDER[one.outcome] - ORDER[other.outcome])
      .filter(({ outcome }) => (outcome === "CLEAR") === isClear)
      .map((check) => {
        const { title, text } = checkWords(check, names);
        return (
          <CheckItem
            key={check.kind}
            icon={<OutcomeIcon outcome={check.outcome} blocks="Blocks activation" />}
            title={title}
          >
            {text ? <p>{text}</p> : null}
          </CheckItem>
        );
      });
  return (
    <Checklist>
      {items(false)}
      {children}
      {items(true)}
    </Checklist>
  );
}
