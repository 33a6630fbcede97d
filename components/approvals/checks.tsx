import { Ban, Check, Flag } from "lucide-react";
import { checkSentence, checksSummary } from "@/components/approvals/check-sentence";
import { Section } from "@/components/ui/section";
import type { ApprovalView, CheckOutcome } from "@/lib/contract/views/approval-view";

/** What was looked at. Unusual facts are flagged in ink, never in amber or red (design, section 13). */
export function Checks({ view }: { view: ApprovalView }) {
  return (
    <Section id="checks" title="Checks" fact={checksSummary(view.checks)}>
      <ul className="checks">
        {view.checks.map((check) => {
          const { title, keyName, text, result, link } = checkSentence(check, view);
          return (
            <li key={check.kind}>
              <OutcomeIcon outcome={check.outcome} />
              <div>
                <b>{title}</b>
                <p>
                  {keyName ? <span className="key">{keyName}</span> : null}
                  {text}
                  {link ? (
                    <>
                      {" "}
                      <a className="link" href={link.href}>
                        {link.label}
                      </a>
                    </>
                  ) : null}
                </p>
              </div>
              <span className="res">{result}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function OutcomeIcon({ outcome }: { outcome: CheckOutcome }) {
  if (outcome === "CLEAR") return <Check className="ic ok" role="img" aria-label="Clear" />;
  if (outcome === "LOOK") return <Flag className="ic look" role="img" aria-label="Look at this" />;
  return <Ban className="ic look" role="img" aria-label="In the way" />;
}
