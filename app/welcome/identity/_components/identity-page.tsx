import { ArrowRight, Check, FileUp, LoaderCircle, X } from "lucide-react";
import type { ReactNode } from "react";
import { DocumentDrop } from "@/app/welcome/identity/_components/document-drop";
import { IdentityForm } from "@/app/welcome/identity/_components/identity-form";
import { PageFoot } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { OnboardingStep } from "@/components/parts/onboarding/onboarding-step";
import { RefreshWhile } from "@/components/parts/onboarding/refresh-while";
import { buttonClass } from "@/components/ui/button";
import { Initials } from "@/components/ui/initials";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { POWER_LIST } from "@/components/ui/power-list";
import { Status } from "@/components/ui/status";
import { SUBLINE } from "@/components/ui/text-styles";
import type { IdentitySubjectView, OnboardingView } from "@/lib/views/read-onboarding";

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
}

export function IdentityPage({ view, isSandbox }: IdentityPageProps) {
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
        <div className="mx-0 mt-2 mb-8">
          <Note>{identity.problem}</Note>
        </div>
      ) : null}
      {identity.subjects.length > 0 ? (
        <ul
          className="max-w-190 border-t border-b border-rule-strong [&>li]:py-4.5 [&>li]:px-0 [&>li]:border-b [&>li]:border-rule [&>li:last-child]:border-0 [&_.status]:flex-none"
          aria-label="Who is checked"
        >
          {identity.subjects.map((subject, index) => (
            <Subject key={`${subject.name} ${subject.taxIdLast4}`} subject={subject} index={index} />
          ))}
        </ul>
      ) : null}
      {identity.status === "REFUSED" ? (
        <div className="mx-0 mt-2 mb-8">
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
        />
      ) : null}
      {isSandbox && isAsked ? <SandboxEntries isBusiness={organization.kind === "BUSINESS"} /> : null}
      {identity.status === "APPROVED" ? null : <UntilDone />}
      <PageFoot className="mt-10 flex-wrap">
        <Link
          className={buttonClass({ kind: isAsked ? "outlined" : "primary", size: "large" })}
          href="/welcome"
        >
          Continue
          <ArrowRight />
        </Link>
      </PageFoot>
    </OnboardingStep>
  );
}

function Subject({ subject, index }: { subject: IdentitySubjectView; index: number }) {
  const { said } = subject;
  return (
    <li>
      <div className="flex items-center justify-between gap-4">
        <span className="flex min-w-0 items-center gap-3 wrap-anywhere [&_b]:font-medium">
          <Initials name={subject.name} isLarge />
          <span>
            <b>{subject.name}</b>
            <span className={SUBLINE}>{aboutSubject(subject)}</span>
          </span>
        </span>
        <SubjectStatus said={said} />
      </div>
      {said.state === "REFUSED" ? <p className="mt-2.5 mr-0 mb-0 ml-12 text-ink-2">{said.reason}</p> : null}
      {said.state === "NEEDS_DOCUMENT" ? (
        <div className="mt-2.5 mr-0 mb-0 ml-12">
          <p className="text-ink-2">{said.reason}</p>
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
      <Status tone="teal" icon={<LoaderCircle />}>
        Checking
      </Status>
    );
  }
  if (said.state === "NEEDS_DOCUMENT") {
    return (
      <Status tone="amber" icon={<FileUp />}>
        Needs a document
      </Status>
    );
  }
  if (said.state === "REFUSED") {
    return (
      <Status tone="red" icon={<X />}>
        Refused
      </Status>
    );
  }
  return (
    <Status tone="mute" icon={<Check />}>
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
    <div className="max-w-190 mt-8 [&_p]:mt-3 [&_dl]:grid [&_dl]:grid-cols-[auto_1fr] [&_dl]:gap-y-1.5 [&_dl]:gap-x-5 [&_dl]:mt-2.5 [&_dt]:font-mono [&_dt]:text-[0.93em]">
      <Section id="until" title="Until this is done">
        <ul className={POWER_LIST}>
          {can.map((sentence) => (
            <Can key={sentence} icon={<Check />}>
              {sentence}
            </Can>
          ))}
          <li data-can="NO">
            <X />
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
    <div className="max-w-190 mt-8 [&_p]:mt-3 [&_dl]:grid [&_dl]:grid-cols-[auto_1fr] [&_dl]:gap-y-1.5 [&_dl]:gap-x-5 [&_dl]:mt-2.5 [&_dt]:font-mono [&_dt]:text-[0.93em]">
      <Section id="entries" title="This check is a sandbox">
        <p className="text-ink-2">
          Do not enter real data. It approves within seconds, unless {number} ends in
        </p>
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
