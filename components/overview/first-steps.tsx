import { Check } from "lucide-react";
import { Link } from "@/components/ui/link";
import type { FirstStepId, FirstStepView } from "@/lib/contract/views/overview-view";

const WORDS: Record<FirstStepId, { title: string; why: string; action: string }> = {
  POD: {
    title: "Open your first pod",
    why: "A pod holds money for one purpose, such as taxes or payroll.",
    action: "Open a pod",
  },
  BANK: {
    title: "Connect a bank",
    why: "Sluice then sees your balances there, and can move money in and out.",
    action: "Connect a bank",
  },
  RULE: {
    title: "Write your first rule",
    why: "It splits what comes in, or pays what is due, within limits that you set.",
    action: "Start from a template",
  },
  KEY: {
    title: "Create your first key",
    why: "A program or an assistant asks with it; what it may not do alone waits for you.",
    action: "Create a key",
  },
};

/** What a new organization does first; what is done is ticked. */
export function FirstSteps({ steps, canDecide }: { steps: FirstStepView[]; canDecide: boolean }) {
  const doneCount = steps.filter((step) => step.isDone).length;
  return (
    <section className="ov-f" aria-labelledby="first-steps">
      <div className="sec-h">
        <h2 className="h2" id="first-steps">
          First steps
        </h2>
        <p>
          {doneCount} of {steps.length} done
        </p>
      </div>
      <ol className="steps1">
        {steps.map((step) => (
          <li key={step.id} className={step.isDone ? "is-done" : undefined}>
            <span className="steps1-i">
              {step.isDone ? <Check className="ic" aria-hidden="true" /> : null}
            </span>
            <div>
              <b>{WORDS[step.id].title}</b>
              {step.isDone ? <span className="vh">, done</span> : null}
              <p className="meta">{WORDS[step.id].why}</p>
            </div>
            {step.isDone || !canDecide ? null : (
              <Link className="link" href={step.href}>
                {WORDS[step.id].action}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {canDecide ? null : <p className="meta">An owner or co-owner does these.</p>}
    </section>
  );
}
