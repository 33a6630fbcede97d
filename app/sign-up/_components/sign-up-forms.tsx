"use client";

import type { SignUpActions } from "@/app/sign-up/_components/sign-up-actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { EmailField, NewPasswordField, PersonNameField } from "@/components/act/credential-fields";
import { FormSays, GuardedForm, useFormAnswer, useServerForm } from "@/components/parts/sign-in/guarded-form";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { MINIMUM_PASSWORD_LENGTH } from "@/lib/contract/members";

const UNKNOWN = outcomeUnknown("this may or may not be done. Reload the page to see how far you got.");

export function SignUpForm({ begin }: Pick<SignUpActions, "begin">) {
  const form = useServerForm(begin, UNKNOWN);
  return (
    <GuardedForm form={form} label="Send a code" busyLabel="Sending">
      <PersonNameField required error={form.problems.name ?? null} />
      <EmailField required error={form.problems.email ?? null} />
      <NewPasswordField
        label="A password"
        required
        hint={`At least ${MINIMUM_PASSWORD_LENGTH} characters. You can add a passkey right after.`}
        error={form.problems.password ?? null}
      />
    </GuardedForm>
  );
}

export function SignUpCodeForm({ verify, resend, startOver }: Omit<SignUpActions, "begin">) {
  const form = useServerForm(verify, UNKNOWN);
  const again = useFormAnswer(UNKNOWN);
  return (
    <>
      <GuardedForm form={form} label="Verify address" busyLabel="Verifying">
        <InputField
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={12}
          hint="Six digits, valid for 10 minutes."
          error={form.problems.code ?? null}
        />
      </GuardedForm>
      <div className="grid gap-3 mt-4 [&>[role='status']:empty]:hidden">
        <FormSays answer={again.answer} />
        <div className="-ml-2.5">
          <Button kind="quiet" busy={again.isBusy} onClick={() => again.run(() => resend())}>
            {again.isBusy ? "Sending" : "Send another code"}
          </Button>
          <form action={startOver}>
            <Button kind="quiet" type="submit" worksWithoutScripts>
              Use another address
            </Button>
          </form>
        </div>
      </div>
    </>
  );
}
