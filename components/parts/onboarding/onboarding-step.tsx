import { cva } from "class-variance-authority";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import type { OnboardingStepId, OnboardingStepView } from "@/lib/views/read-onboarding";

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
    <div className="grid grid-cols-[216px_minmax(0,1fr)] items-start gap-18 max-lg:grid-cols-[168px_minmax(0,1fr)] max-lg:gap-10 max-sm:grid-cols-1 max-sm:gap-7">
      <ol
        className="sticky top-8 grid border-l-3 border-double border-rule-strong max-sm:static max-sm:flex max-sm:gap-1 max-sm:border-b-3 max-sm:border-l-0"
        aria-label="Steps"
      >
        {steps.map((step) => (
          <StepItem key={step.id} step={step} isCurrent={step.id === current} />
        ))}
      </ol>
      <div className="min-w-0 wrap-anywhere">
        <p className="text-sm text-ink-3 mb-2">
          Step {number} of {steps.length}
        </p>
        <h1 className={PAGE_TITLE}>{title}</h1>
        <p className={`${LEDE} mx-0 mt-2 mb-8`}>{lede}</p>
        {children}
      </div>
    </div>
  );
}

const stepClass = cva(
  "relative grid py-2.5 pl-5.5 wrap-anywhere before:absolute max-sm:min-h-8 max-sm:px-0 max-sm:pt-0 max-sm:pb-2.5 max-sm:before:inset-x-0 max-sm:before:top-auto max-sm:before:-bottom-1 max-sm:before:h-1.25 max-sm:before:w-auto",
  {
    variants: {
      state: {
        ahead: "text-ink-3 max-sm:flex-1 max-sm:[&>b]:hidden",
        done: "text-ink-2 before:inset-y-0 before:-left-0.75 before:w-0.75 before:bg-water max-sm:flex-1 max-sm:[&>b]:hidden",
        current:
          "text-ink before:inset-y-2.25 before:-left-1 before:w-1.25 before:bg-teal max-sm:flex-none max-sm:pr-2",
      },
    },
  },
);

function StepItem({ step, isCurrent }: { step: OnboardingStepView; isCurrent: boolean }) {
  const label = LABELS[step.id];
  const state = isCurrent ? "current" : step.isDone ? "done" : "ahead";
  return (
    <li className={stepClass({ state })} aria-current={isCurrent ? "step" : undefined}>
      <b className={isCurrent ? "font-semibold" : "font-medium"}>
        {step.href && !isCurrent ? (
          <Link className="hover:text-teal" href={step.href}>
            {label}
          </Link>
        ) : (
          label
        )}
      </b>
      {step.note ? <span className="text-sm max-sm:hidden">{step.note}</span> : null}
      {step.isDone ? <span className="sr-only">Done</span> : null}
    </li>
  );
}
