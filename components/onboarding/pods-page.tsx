import { ArrowRight, Check } from "lucide-react";
import { FirstPodsForm } from "@/components/onboarding/first-pods-form";
import { OnboardingStep } from "@/components/onboarding/onboarding-step";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import type { FirstPods } from "@/lib/contract/onboarding";
import type { Refused } from "@/lib/contract/refused";
import type { OnboardingView } from "@/lib/contract/views/onboarding-view";
import { joinWords } from "@/lib/engine/words/phrases";

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
