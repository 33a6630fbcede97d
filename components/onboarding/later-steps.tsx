import { ArrowRight, Check } from "lucide-react";
import type { ReactNode } from "react";
import { EndForm } from "@/components/onboarding/end-form";
import { FirstPodsForm } from "@/components/onboarding/first-pods-form";
import { OnboardingStep } from "@/components/onboarding/onboarding-step";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import type { FirstPods } from "@/lib/contract/onboarding";
import type { Refused } from "@/lib/contract/refused";
import type { OnboardingStepId, OnboardingView } from "@/lib/contract/views/onboarding-view";
import { joinWords } from "@/lib/engine/words/phrases";

/** Sees what is at the bank, and lets money go there and back. */
export function BankPage({ view }: { view: OnboardingView }) {
  const names = view.connections.map(({ institutionName }) => institutionName);
  return (
    <OnboardingStep
      steps={view.steps}
      current="BANK"
      title="Where your money is now"
      lede="Connect the bank that you have. You see its balances here, and money can move between it and your pods."
    >
      {names.length > 0 ? (
        <Have>{joinWords(names)} is connected.</Have>
      ) : (
        <p className="ink2">Nothing moves by connecting. You can do it later, and end it at any time.</p>
      )}
      <Foot
        act={
          names.length > 0
            ? { label: "Connect another bank", href: "/accounts/connect", isDone: true }
            : { label: "Connect a bank", href: "/accounts/connect", isDone: false }
        }
        next={{ label: names.length > 0 ? "Go on with pods" : "Not now", href: "/welcome/pods" }}
        backHref="/welcome/identity"
      />
    </OnboardingStep>
  );
}

/** The shares as a rule, or another one from a template. */
export function RulePage({ view }: { view: OnboardingView }) {
  const isDone = isStepDone(view, "RULE");
  const start = view.ruleDraftHref
    ? { label: "Look at the rule of your shares", href: view.ruleDraftHref, isDone }
    : { label: "Start from a template", href: "/rules/new", isDone };
  return (
    <OnboardingStep
      steps={view.steps}
      current="RULE"
      title="Let money find its place by itself"
      lede="A rule splits what comes in. It does nothing until you have read it, saved it and activated it."
    >
      {isDone ? <Have>You have a rule. Whether it is active stands under Rules.</Have> : null}
      {!isDone && view.ruleDraftHref ? (
        <p className="ink2">
          Your shares are kept as a draft.{" "}
          <Link className="link" href="/rules/new">
            Or start from a template
          </Link>
          .
        </p>
      ) : null}
      {!isDone && view.pods.length === 0 ? (
        <p className="ink2">There are no pods yet: a rule can be written, and waits for them.</p>
      ) : null}
      <Foot
        act={start}
        next={{ label: isDone ? "Go on with a key" : "Not now", href: "/welcome/key" }}
        backHref="/welcome/pods"
      />
    </OnboardingStep>
  );
}

/** Lets a program in, and ends the first steps. */
export function KeyPage({ view, end }: { view: OnboardingView; end: () => Promise<Refused> }) {
  const isDone = isStepDone(view, "KEY");
  const isIdentified = view.identity.status === "APPROVED";
  return (
    <OnboardingStep
      steps={view.steps}
      current="KEY"
      title="Let a program ask"
      lede="With a key, a program reads what you allow and proposes transfers. Nothing moves until you approve."
    >
      {isDone ? <Have>You have a key. It is under API keys, with all that it did.</Have> : null}
      <Foot
        act={{
          label: isDone ? "Make another key" : "Make the first key",
          href: "/settings/api-keys/new",
          isDone,
        }}
        next={null}
        backHref="/welcome/rule"
      />
      {isIdentified ? (
        <EndForm label={view.nextHref === null ? "Done" : "Leave it at that"} isMain={isDone} end={end} />
      ) : (
        <p className="meta onb-e">
          The identity check is not done yet. Every page leads back here until it is.
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
    <ul className="cans">
      <li>
        <Check className="ic" />
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

/** What this step is for first, the way on beside it; once it is done the other way round. */
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
      {isActFirst ? null : <ArrowRight className="ic" />}
    </Link>
  ) : null;
  return (
    <div className="foot-a">
      {isActFirst ? [actLink, nextLink] : [nextLink, actLink]}
      <Link className={buttonClass({ kind: "quiet" })} href={backHref}>
        Back
      </Link>
    </div>
  );
}

interface PodsPageProps {
  view: OnboardingView;
  open: (input: FirstPods) => Promise<Refused>;
}

/** The first pods, from a proposal that can be changed. */
export function PodsPage({ view, open }: PodsPageProps) {
  const isIdentified = view.identity.status === "APPROVED";
  return (
    <OnboardingStep
      steps={view.steps}
      current="PODS"
      title="Give every dollar a place"
      lede="A pod is money with a purpose. Start from a proposal; change anything, now or later."
    >
      {view.pods.length > 0 ? (
        <>
          <ul className="cans">
            <li>
              <Check className="ic" />
              You have pods: {joinWords(view.pods.map(({ name }) => name))}.
            </li>
          </ul>
          <div className="foot-a">
            <Link className={buttonClass({ kind: "primary", size: "large" })} href="/welcome/rule">
              Go on with a rule
              <ArrowRight className="ic" />
            </Link>
            <Link className={buttonClass({ kind: "quiet" })} href="/accounts/new">
              Open another pod
            </Link>
          </div>
        </>
      ) : (
        <>
          {isIdentified ? null : (
            <div className="onb-w">
              <Note>
                Pods can be opened once the identity check is done.{" "}
                <Link className="link" href="/welcome/identity">
                  See how far it is
                </Link>
              </Note>
            </div>
          )}
          <FirstPodsForm canOpen={isIdentified} open={open} />
        </>
      )}
    </OnboardingStep>
  );
}
