import { ArrowRight, Check, FileUp, LoaderCircle, X } from "lucide-react";
import type { ReactNode } from "react";
import { DocumentDrop } from "@/components/onboarding/document-drop";
import { IdentityForm } from "@/components/onboarding/identity-form";
import { OnboardingStep } from "@/components/onboarding/onboarding-step";
import { RefreshWhile } from "@/components/onboarding/refresh-while";
import { buttonClass } from "@/components/ui/button";
import { Initials } from "@/components/ui/initials";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { IdentityInput } from "@/lib/contract/onboarding";
import type { Refused } from "@/lib/contract/refused";
import type { IdentitySubjectView, OnboardingView } from "@/lib/contract/views/onboarding-view";

const ENTRIES = [
  ["0001", "Needs a document, then is approved"],
  ["0002", "Rejected, with a reason"],
  ["0003", "The answer is lost at first; Sluice asks for the outcome"],
  ["0004", "The details never arrive; after a while you are asked again"],
] as const;

interface IdentityPageProps {
  view: OnboardingView;
  /** The sandbox's check: the page lists the test numbers. */
  isSandbox: boolean;
  submit: (input: IdentityInput) => Promise<Refused>;
}

export function IdentityPage({ view, isSandbox, submit }: IdentityPageProps) {
  const { identity, organization, memberName } = view;
  const isAsked = identity.status === "NEEDED" || identity.status === "REFUSED";
  const isChecking = identity.status === "SUBMITTING" || identity.status === "CHECKING";
  return (
    <OnboardingStep
      steps={view.steps}
      current="IDENTITY"
      title="Who owns the money"
      lede="The bank is required to know. You can go on with the next steps during the check."
    >
      {isChecking ? <RefreshWhile /> : null}
      {identity.problem ? (
        <div className="onb-w">
          <Note>{identity.problem}</Note>
        </div>
      ) : null}
      {identity.subjects.length > 0 ? (
        <ul className="idl" aria-label="Who is checked">
          {identity.subjects.map((subject, index) => (
            <Subject key={`${subject.name} ${subject.taxIdLast4}`} subject={subject} index={index} />
          ))}
        </ul>
      ) : null}
      {identity.status === "REFUSED" ? (
        <div className="onb-w">
          <Note tone="red">
            The check was not passed, so this organization cannot hold money. If a detail was wrong, enter the
            details again; otherwise ask the operator.
          </Note>
        </div>
      ) : null}
      {isAsked ? (
        <IdentityForm
          kind={organization.kind}
          organizationName={organization.name}
          personName={memberName}
          sample={view.sampleIdentity}
          submit={submit}
        />
      ) : null}
      {isSandbox && isAsked ? <SandboxEntries isBusiness={organization.kind === "BUSINESS"} /> : null}
      {identity.status === "APPROVED" ? null : <UntilDone />}
      <div className="foot-a">
        <Link
          className={buttonClass({ kind: isAsked ? "outlined" : "primary", size: "large" })}
          href="/welcome"
        >
          Continue
          <ArrowRight className="ic" />
        </Link>
      </div>
    </OnboardingStep>
  );
}

function Subject({ subject, index }: { subject: IdentitySubjectView; index: number }) {
  const { said } = subject;
  return (
    <li>
      <div className="idl-h">
        <span className="person">
          <Initials name={subject.name} />
          <span>
            <b>{subject.name}</b>
            <span className="meta blk">{aboutSubject(subject)}</span>
          </span>
        </span>
        <SubjectStatus said={said} />
      </div>
      {said.state === "REFUSED" ? <p className="ink2 idl-d">{said.reason}</p> : null}
      {said.state === "NEEDS_DOCUMENT" ? (
        <div className="idl-d">
          <p className="ink2">{said.reason}</p>
          <DocumentDrop subjectIndex={index} name={subject.name} />
        </div>
      ) : null}
    </li>
  );
}

function aboutSubject({ kind, ownsPercent, taxIdLast4, said }: IdentitySubjectView): string {
  const number = kind === "BUSINESS" ? `EIN ending in ${taxIdLast4}` : `SSN ending in ${taxIdLast4}`;
  const owns = ownsPercent === null ? "" : `Owns ${ownsPercent}%. `;
  const wait = said.state === "CHECKING" ? ". The details are being checked." : "";
  return `${owns}${number}${wait}`;
}

/** Amber only where a person must act. */
function SubjectStatus({ said }: { said: IdentitySubjectView["said"] }) {
  if (said.state === "CHECKING") {
    return (
      <Status tone="teal" icon={<LoaderCircle className="ic" />}>
        Checking
      </Status>
    );
  }
  if (said.state === "NEEDS_DOCUMENT") {
    return (
      <Status tone="amber" icon={<FileUp className="ic" />}>
        Needs a document
      </Status>
    );
  }
  if (said.state === "REFUSED") {
    return (
      <Status tone="red" icon={<X className="ic" />}>
        Refused
      </Status>
    );
  }
  return (
    <Status tone="mute" icon={<Check className="ic" />}>
      Approved
    </Status>
  );
}

function UntilDone() {
  const can = [
    "You can look around, and create rules and keys",
    "You can connect a bank and see its balances",
  ];
  return (
    <div className="idt">
      <Section id="until" title="Until this is done">
        <ul className="cans">
          {can.map((sentence) => (
            <Can key={sentence} icon={<Check className="ic" />}>
              {sentence}
            </Can>
          ))}
          <li className="no">
            <X className="ic" />
            You cannot open pods yet, so money can neither arrive nor leave
          </li>
        </ul>
      </Section>
    </div>
  );
}

function Can({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      {icon}
      {children}
    </li>
  );
}

function SandboxEntries({ isBusiness }: { isBusiness: boolean }) {
  const number = isBusiness ? "an EIN or social security number" : "a social security number";
  return (
    <div className="idt">
      <Section id="entries" title="This check is a sandbox">
        <p className="ink2">Do not enter real data. It approves within seconds, unless {number} ends in</p>
        <dl>
          {ENTRIES.map(([digits, does]) => (
            <div key={digits} className="contents">
              <dt>{digits}</dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  );
}
