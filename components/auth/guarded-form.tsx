"use client";

import { unstable_rethrow } from "next/navigation";
import { type ReactNode, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { FormAnswer } from "@/lib/contract/views/onboarding-view";

/** Runs a form's action, which leads on by itself where it works; what it says otherwise stays on the page. */
export function useFormAnswer(unknown: string) {
  const [answer, setAnswer] = useState<FormAnswer | null>(null);
  const [isBusy, start] = useTransition();
  const run = (act: () => Promise<FormAnswer>) =>
    start(async () => {
      const next = await act().catch((error: unknown): FormAnswer => {
        // Being sent on comes as an error, which is the router's.
        unstable_rethrow(error);
        return { kind: "REFUSED", message: unknown, problems: {} };
      });
      setAnswer(next);
    });
  return { answer, problems: answer?.kind === "REFUSED" ? answer.problems : {}, isBusy, run };
}

interface GuardedFormProps {
  form: ReturnType<typeof useFormAnswer>;
  /** On the button, at rest and at work. */
  label: string;
  busyLabel: string;
  act: (values: FormData) => Promise<FormAnswer>;
  children: ReactNode;
}

/** A form of one column with its one button. */
export function GuardedForm({ form, label, busyLabel, act, children }: GuardedFormProps) {
  return (
    <form
      noValidate
      className="inv-f"
      onSubmit={(event) => {
        event.preventDefault();
        const values = new FormData(event.currentTarget);
        if (!form.isBusy) form.run(() => act(values));
      }}
    >
      {children}
      <FormSays answer={form.answer} />
      <Button kind="primary" size="large" wide type="submit" busy={form.isBusy}>
        {form.isBusy ? busyLabel : label}
      </Button>
    </form>
  );
}

/** What became of it, told to screen readers too. */
export function FormSays({ answer }: { answer: FormAnswer | null }) {
  return (
    <div role="status">
      {answer?.message ? <Note tone={answer.kind === "SAID" ? "teal" : "red"}>{answer.message}</Note> : null}
    </div>
  );
}

/** A text field's value; empty where it is missing. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}
