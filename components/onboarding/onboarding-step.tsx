import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import type { OnboardingStepId, OnboardingStepView } from "@/lib/contract/views/onboarding-view";

const LABELS: Readonly<Record<OnboardingStepId, string>> = {
  YOU: "You",
  ORGANIZATION: "Your organization",
  IDENTITY: "Identity",
  BANK: "Your bank",
  PODS: "Pods",
  RULE: "First rule",
  KEY: "First key",
};

interface OnboardingStepProps {
  steps: readonly OnboardingStepView[];
  current: OnboardingStepId;
  title: string;
  lede: ReactNode;
  children: ReactNode;
}

/** Done steps fill with water; the gate marks the present one. */
export function OnboardingStep({ steps, current, title, lede, children }: OnboardingStepProps) {
  const number = steps.findIndex(({ id }) => id === current) + 1;
  return (
    <div className="onb">
      <ol className="steps" aria-label="Steps">
        {steps.map((step) => (
          <StepItem key={step.id} step={step} isCurrent={step.id === current} />
        ))}
      </ol>
      <div className="onb-c">
        <p className="meta onb-n">
          Step {number} of {steps.length}
        </p>
        <h1 className="h1">{title}</h1>
        <p className="lede onb-w">{lede}</p>
        {children}
      </div>
    </div>
  );
}

function StepItem({ step, isCurrent }: { step: OnboardingStepView; isCurrent: boolean }) {
  const label = LABELS[step.id];
  const look = isCurrent ? "cur" : step.isDone ? "done" : undefined;
  return (
    <li className={look} aria-current={isCurrent ? "step" : undefined}>
      <b>{step.href && !isCurrent ? <Link href={step.href}>{label}</Link> : label}</b>
      {step.note ? <span>{step.note}</span> : null}
      {step.isDone ? <span className="vh">Done</span> : null}
    </li>
  );
}
