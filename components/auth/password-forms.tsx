"use client";

import { EmailField, NewPasswordField } from "@/components/auth/credential-fields";
import { GuardedForm, useServerForm } from "@/components/auth/guarded-form";
import { MINIMUM_PASSWORD_LENGTH } from "@/lib/contract/members";
import type { FormAction } from "@/lib/contract/views/onboarding-view";

interface ForgotFormProps {
  request: FormAction;
}

export function ForgotForm({ request }: ForgotFormProps) {
  const form = useServerForm(request, "Sluice did not answer. Check your email before you try again.");
  return (
    <GuardedForm form={form} label="Send me a link" busyLabel="Sending">
      <EmailField required hint="The one you sign in with." error={form.problems.email ?? null} />
    </GuardedForm>
  );
}

interface ResetFormProps {
  email: string;
  reset: FormAction;
}

export function ResetForm({ email, reset }: ResetFormProps) {
  const form = useServerForm(reset, "Sluice did not answer. Try signing in with the new password.");
  return (
    <GuardedForm form={form} label="Set this password" busyLabel="Setting">
      {/* Lets a password manager save the address with the password. */}
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <NewPasswordField
        label="New password"
        required
        hint={`At least ${MINIMUM_PASSWORD_LENGTH} characters.`}
        error={form.problems.password ?? null}
      />
    </GuardedForm>
  );
}
