"use client";

import { unstable_rethrow } from "next/navigation";
import { type ReactNode, useActionState, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { FormAction, FormAnswer } from "@/lib/contract/views/onboarding-view";

/** Runs a form's action, which redirects on success; a refusal stays on the page. */
export function useFormAnswer(unknown: string) {
  const [answer, setAnswer] = useState<FormAnswer | null>(null);
  const [isBusy, start] = useTransition();
  const run = (act: () => Promise<FormAnswer>) =>
    start(async () => {
      const next = await act().catch((error: unknown): FormAnswer => {
        // A redirect arrives as an error for the router.
        unstable_rethrow(error);
        return { kind: "REFUSED", message: unknown };
      });
      setAnswer(next);
    });
  return { answer, problems: problemsOf(answer), isBusy, run };
}

/** Runs a form's action, with or without scripts. Without them, what was typed travels in a body, never in a URL. */
export function useServerForm(action: FormAction, unknown: string) {
  const [sent, send] = useActionState(action, null);
  const form = useFormAnswer(unknown);
  const answer = form.answer ?? sent;
  return {
    answer,
    problems: problemsOf(answer),
    isBusy: form.isBusy,
    send,
    run: (values: FormData) => form.run(() => action(null, values)),
  };
}

const NO_PROBLEMS: NonNullable<Refused["problems"]> = {};

function problemsOf(answer: FormAnswer | null) {
  return answer?.kind === "REFUSED" && answer.problems ? answer.problems : NO_PROBLEMS;
}

interface GuardedFormProps {
  form: ReturnType<typeof useServerForm>;
  label: string;
  busyLabel: string;
  /** A choice without a field of its own needs scripts. */
  needsScripts?: boolean;
  children: ReactNode;
}

export function GuardedForm({ form, label, busyLabel, needsScripts = false, children }: GuardedFormProps) {
  return (
    <form
      noValidate
      action={form.send}
      className="inv-f"
      onSubmit={(event) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget);
        if (!form.isBusy) form.run(values);
      }}
    >
      {children}
      <FormSays answer={form.answer} />
      <Button
        kind="primary"
        size="large"
        wide
        type="submit"
        busy={form.isBusy}
        worksWithoutScripts={!needsScripts}
      >
        {form.isBusy ? busyLabel : label}
      </Button>
    </form>
  );
}

/** The outcome, announced to screen readers. */
export function FormSays({ answer }: { answer: FormAnswer | null }) {
  return (
    <div role="status">
      {answer?.kind === "SAID" ? <Note tone="teal">{answer.message}</Note> : null}
      {answer?.kind === "REFUSED" && !answer.problems ? <Note tone="red">{answer.message}</Note> : null}
    </div>
  );
}

/** A text field's value; empty where it is missing. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}
