"use client";

import { EmailField, NewPasswordField } from "@/components/auth/credential-fields";
import { GuardedForm, useServerForm } from "@/components/auth/guarded-form";
import { MINIMUM_PASSWORD_LENGTH } from "@/lib/contract/members";
import type { FormAction } from "@/lib/contract/views/onboarding-view";

interface ForgotFormProps {
  request: FormAction;
}

/** Whose password is forgotten. */
export function ForgotForm({ request }: ForgotFormProps) {
  const form = useServerForm(
    request,
    "Sluice did not answer, so we do not know whether an email is on its way.",
  );
  return (
    <GuardedForm form={form} label="Send me a link" busyLabel="Sending">
      <EmailField required hint="The one that you sign in with." error={form.problems.email ?? null} />
    </GuardedForm>
  );
}

interface ResetFormProps {
  email: string;
  reset: FormAction;
}

/** The new password. */
export function ResetForm({ email, reset }: ResetFormProps) {
  const form = useServerForm(
    reset,
    "Sluice did not answer. Try to sign in with the new password to see whether it counts.",
  );
  return (
    <GuardedForm form={form} label="Set this password" busyLabel="Setting">
      {/* So that a password manager keeps the address with the password. */}
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
