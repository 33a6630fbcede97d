"use client";

import { type ReactNode, useActionState } from "react";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";

/** `SAID`: it worked, and the page stays; otherwise the action redirects. */
export type FormAnswer = Refused | { kind: "SAID"; message: string };

/** The server action of a form, as `useActionState` calls it. */
type FormAction = (previous: FormAnswer | null, form: FormData) => Promise<FormAnswer>;

/** Runs a form's action, which redirects on success; a refusal stays on the page. */
export function useFormAnswer(whenLost: Refused) {
  const action = useAction((submit: (shown: string) => Promise<FormAnswer>, shown) => submit(shown), {
    whenLost,
    afterwards: null,
  });
  const answer: FormAnswer | null = action.result ?? action.refusal;
  return { answer, problems: problemsOf(answer), isBusy: action.isBusy, run: action.run };
}

/** Runs a form's action, with or without scripts. Without them, what was typed travels in a body, never in a URL. */
export function useServerForm(action: FormAction, whenLost: Refused) {
  const [sent, send] = useActionState(action, null);
  const form = useFormAnswer(whenLost);
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
      className="[&>[role='status']:empty]:-mt-4 grid gap-4 [&_.button]:whitespace-normal"
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
