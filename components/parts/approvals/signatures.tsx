import { Check, CircleDashed } from "lucide-react";
import { Section } from "@/components/layout/section";
import { methodWords } from "@/components/parts/approvals/history";
import { formatInSentence } from "@/components/time/format-instant";
import { GateClosedIcon } from "@/components/ui/icons";
import { Initials } from "@/components/ui/initials";
import { Status } from "@/components/ui/status";
import { LINK, SPOKEN, SUBLINE } from "@/components/ui/text-styles";
import { policyVersionHref } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import type { SigningPersonView, SigningView } from "@/lib/views/approvals/describe-signing";

interface SignaturesProps {
  signing: SigningView;
  time: TimeContext;
  /** `approve`, `confirm it` */
  verb: string;
}

/** Whose signatures it has, and whose it waits for. Only where a policy asks for more than one decider. */
export function Signatures({ signing, time, verb }: SignaturesProps) {
  const { asks, people, givenCount, neededCount, changedSince } = signing;
  return (
    <Section id="signatures" title="Signatures" fact={`${givenCount} of ${neededCount}`}>
      {asks.map((ask) => (
        <div key={`${ask.version} ${ask.ruleNumber ?? "otherwise"}`}>
          <p className={`${SPOKEN} mt-4`}>
            {ask.because ? `${ask.because}, so ` : null}
            <b>{ask.stages[0]}</b> must {verb}.
            {ask.stages.slice(1).map((stage) => (
              <span key={stage}>
                {" "}
                Then <b>{stage}</b>.
              </span>
            ))}
            {ask.requesterCounts ? null : " The requester does not count."}
          </p>
          <p className="mt-1 text-sm text-ink-3">
            {policyWords(ask)}
            {ask.version === 0 ? null : (
              <>
                {" "}
                <a className={LINK} href={policyVersionHref(ask.version)}>
                  See the policy
                </a>
              </>
            )}
          </p>
        </div>
      ))}
      <ul className="mt-3">
        {people.map((person) => (
          <li
            key={person.id}
            className="grid grid-cols-[30px_minmax(0,1fr)_auto] items-center gap-3 border-b border-rule py-3 last:border-b-0"
          >
            <Initials name={person.name} />
            <span>
              <b className="font-medium wrap-anywhere">{person.isViewer ? "You" : person.name}</b>
              <span className={SUBLINE}>{personWords(person, signing, time)}</span>
            </span>
            <PersonStatus person={person} signing={signing} />
          </li>
        ))}
      </ul>
      {changedSince && changedSince.changes.length > 0 ? (
        <div className="mt-3 text-sm text-ink-2">
          <p>Since {changedSince.byName} signed:</p>
          <ul className="list-disc pl-5">
            {changedSince.changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </Section>
  );
}

function policyWords({ version, ruleNumber, ruleName }: SigningView["asks"][number]): string {
  if (version === 0) return "As it was before a policy was published.";
  const rule =
    ruleNumber === null ? "no rule matches, so what it says otherwise" : `rule ${ruleNumber}, ${ruleName}`;
  return `Policy version ${version}, ${rule}.`;
}

function personWords(person: SigningPersonView, signing: SigningView, time: TimeContext): string {
  if (person.signedAt && person.method) {
    return `Signed ${formatInSentence(person.signedAt, time)}, ${methodWords(person.method)}`;
  }
  if (person.isOutdated) return "Signed before this changed, and is asked again";
  if (person.isViewer && signing.viewer.mayNot) return signing.viewer.mayNot.text;
  if (person.isViewer) return person.completes ? "Yours would complete it" : "Yours is one of several";
  if (!person.maySign) return person.whyNot === "LATER_STAGE" ? "Signs in a later stage" : "Not needed now";
  const viewerMay = signing.people.some(({ isViewer, maySign }) => isViewer && maySign);
  return viewerMay && signing.viewer.completes ? "Can sign instead of you" : "Can sign";
}

function PersonStatus({ person, signing }: { person: SigningPersonView; signing: SigningView }) {
  if (person.signedAt) {
    return (
      <Status tone="teal" icon={<Check />}>
        Signed
      </Status>
    );
  }
  const viewerMay = signing.people.some(({ isViewer, maySign }) => isViewer && maySign);
  if (person.maySign && (person.isViewer || !viewerMay)) {
    return (
      <Status tone="amber" icon={<GateClosedIcon />}>
        Missing
      </Status>
    );
  }
  return (
    <Status tone="mute" icon={<CircleDashed />}>
      {waitingWord(person, signing)}
    </Status>
  );
}

function waitingWord(person: SigningPersonView, signing: SigningView): string {
  if (person.whyNot === "LATER_STAGE") return "Then";
  if (!person.maySign) return "Does not count";
  return signing.viewer.completes ? "Not needed if you sign" : "May sign";
}
