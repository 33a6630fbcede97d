import { ArrowRight, Check } from "lucide-react";
import type { ReactNode } from "react";
import { FirstPodsForm } from "@/app/welcome/_components/first-pods-form";
import { PageFoot } from "@/components/layout/page-head";
import { EndForm } from "@/components/parts/onboarding/end-form";
import { OnboardingStep } from "@/components/parts/onboarding/onboarding-step";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { POWER_LIST } from "@/components/ui/power-list";
import { LINK } from "@/components/ui/text-styles";
import type { OnboardingStepId, OnboardingView } from "@/lib/views/read-onboarding";
import { joinWords } from "@/lib/words/rules/phrases";

export function BankPage({ view }: { view: OnboardingView }) {
  const names = view.connections.map(({ institutionName }) => institutionName);
  return (
    <OnboardingStep
      steps={view.steps}
      current="BANK"
      title="Where your money is now"
      lede="Connect your bank to see its balances here and move money between it and your pods."
    >
      {names.length > 0 ? (
        <Have>
          {joinWords(names)} {names.length > 1 ? "are" : "is"} connected.
        </Have>
      ) : (
        <p className="text-ink-2">
          Connecting moves no money. You can also do it later, and disconnect at any time.
        </p>
      )}
      <Foot
        act={
          names.length > 0
            ? { label: "Connect another bank", href: "/accounts/connect", isDone: true }
            : { label: "Connect a bank", href: "/accounts/connect", isDone: false }
        }
        next={{ label: names.length > 0 ? "Continue with pods" : "Not now", href: "/welcome/pods" }}
        backHref="/welcome/identity"
      />
    </OnboardingStep>
  );
}

export function RulePage({ view }: { view: OnboardingView }) {
  const isDone = isStepDone(view, "RULE");
  const isDraft = !isDone && view.inactiveRule === null && view.ruleDraftHref !== null;
  return (
    <OnboardingStep
      steps={view.steps}
      current="RULE"
      title="Put your money to work automatically"
      lede="A rule splits incoming money. It does nothing until you review, save and activate it."
    >
      {isDone ? <Have>A rule is active.</Have> : null}
      {view.inactiveRule ? (
        <p className="text-ink-2">{view.inactiveRule.name} is saved, but not active. It does nothing yet.</p>
      ) : null}
      {isDraft ? (
        <p className="text-ink-2">
          Your shares are saved as a draft.{" "}
          <Link className={LINK} href="/rules/new">
            Or start from a template
          </Link>
          .
        </p>
      ) : null}
      {!isDone && view.pods.length === 0 ? (
        <p className="text-ink-2">There are no pods yet. You can already write a rule.</p>
      ) : null}
      <Foot
        act={{ ...ruleStart(view), isDone }}
        next={{ label: isDone ? "Continue with a key" : "Not now", href: "/welcome/key" }}
        backHref="/welcome/pods"
      />
    </OnboardingStep>
  );
}

function ruleStart({ inactiveRule, ruleDraftHref }: OnboardingView): { label: string; href: string } {
  if (inactiveRule) return { label: "Review and activate it", href: inactiveRule.href };
  if (ruleDraftHref) return { label: "Review your shares as a rule", href: ruleDraftHref };
  return { label: "Start from a template", href: "/rules/new" };
}

export function KeyPage({ view }: { view: OnboardingView }) {
  const isDone = isStepDone(view, "KEY");
  const isIdentified = view.identity.status === "APPROVED";
  return (
    <OnboardingStep
      steps={view.steps}
      current="KEY"
      title="Let a program propose"
      lede="With a key, a program reads what you allow and proposes transfers. Nothing moves until you approve."
    >
      {isDone ? <Have>You have a key. API keys shows its activity.</Have> : null}
      <Foot
        act={{
          label: isDone ? "Create another key" : "Create the first key",
          href: "/settings/api-keys/new",
          isDone,
        }}
        next={null}
        backHref="/welcome/rule"
      />
      {isIdentified ? (
        <EndForm label={view.nextHref === null ? "Done" : "Finish"} isMain={isDone} />
      ) : (
        <p className="text-sm text-ink-3 mt-6">
          The identity check is not done yet. Every page links back here until it is.
        </p>
      )}
    </OnboardingStep>
  );
}

function isStepDone({ steps }: OnboardingView, id: OnboardingStepId): boolean {
  return steps.some((step) => step.id === id && step.isDone);
}

function Have({ children }: { children: ReactNode }) {
  return (
    <ul className={POWER_LIST}>
      <li>
        <Check />
        {children}
      </li>
    </ul>
  );
}

interface FootProps {
  act: { label: string; href: string; isDone: boolean };
  next: { label: string; href: string } | null;
  backHref: string;
}

/** The step's action is primary until it is done, then the link to the next step. */
function Foot({ act, next, backHref }: FootProps) {
  const isActFirst = !act.isDone || next === null;
  const actLink = (
    <Link
      key="act"
      className={buttonClass(
        isActFirst && !act.isDone ? { kind: "primary", size: "large" } : { kind: "quiet" },
      )}
      href={act.href}
    >
      {act.label}
    </Link>
  );
  const nextLink = next ? (
    <Link
      key="next"
      className={buttonClass(isActFirst ? { kind: "quiet" } : { kind: "primary", size: "large" })}
      href={next.href}
    >
      {next.label}
      {isActFirst ? null : <ArrowRight />}
    </Link>
  ) : null;
  return (
    <PageFoot className="mt-10 flex-wrap">
      {isActFirst ? [actLink, nextLink] : [nextLink, actLink]}
      <Link className={buttonClass({ kind: "quiet" })} href={backHref}>
        Back
      </Link>
    </PageFoot>
  );
}

export function PodsPage({ view }: { view: OnboardingView }) {
  const isIdentified = view.identity.status === "APPROVED";
  return (
    <OnboardingStep
      steps={view.steps}
      current="PODS"
      title="Give every dollar a place"
      lede="A pod is money with a purpose. Start from a template and change anything, now or later."
    >
      {view.pods.length > 0 ? (
        <>
          <ul className={POWER_LIST}>
            <li>
              <Check />
              You have pods: {joinWords(view.pods.map(({ name }) => name))}.
            </li>
          </ul>
          <PageFoot className="mt-10 flex-wrap">
            <Link className={buttonClass({ kind: "primary", size: "large" })} href="/welcome/rule">
              Continue with a rule
              <ArrowRight />
            </Link>
            <Link className={buttonClass({ kind: "quiet" })} href="/accounts/new">
              Open another pod
            </Link>
          </PageFoot>
        </>
      ) : (
        <>
          {isIdentified ? null : (
            <div className="mx-0 mt-2 mb-8">
              <Note>
                You can open pods once the identity check is done.{" "}
                <Link className={LINK} href="/welcome/identity">
                  See its progress
                </Link>
              </Note>
            </div>
          )}
          <FirstPodsForm canOpen={isIdentified} />
        </>
      )}
    </OnboardingStep>
  );
}
