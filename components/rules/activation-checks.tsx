import { Ban, Check, Flag } from "lucide-react";
import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { checkWords } from "@/lib/engine/words/activation-words";

const ORDER = { BLOCKS: 0, LOOK: 1, CLEAR: 2 } as const;

/** What was looked at, what stands in the way first. */
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
  if (outcome === "LOOK") return <Flag className="ic look" role="img" aria-label="Look at this" />;
  return <Ban className="ic look" role="img" aria-label="In the way" />;
}
