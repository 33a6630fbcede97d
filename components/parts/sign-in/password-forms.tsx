"use client";

import { requestReset } from "@/app/forgot/actions";
import { setPassword } from "@/app/reset/[token]/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { EmailField, NewPasswordField } from "@/components/act/credential-fields";
import { GuardedForm, useServerForm } from "@/components/parts/sign-in/guarded-form";
import { MINIMUM_PASSWORD_LENGTH } from "@/lib/contract/members";

const LINK_UNKNOWN = outcomeUnknown(
  "the link may or may not be on its way. Check your email before you try again.",
);
const PASSWORD_UNKNOWN = outcomeUnknown(
  "your password may or may not be changed. Try signing in with the new one.",
);

export function ForgotForm() {
  const form = useServerForm(requestReset, LINK_UNKNOWN);
  return (
    <GuardedForm form={form} label="Send me a link" busyLabel="Sending">
      <EmailField required hint="The one you sign in with." error={form.problems.email ?? null} />
    </GuardedForm>
  );
}

interface ResetFormProps {
  email: string;
  /** From the link. */
  token: string;
}

export function ResetForm({ email, token }: ResetFormProps) {
  const form = useServerForm(setPassword, PASSWORD_UNKNOWN);
  return (
    <GuardedForm form={form} label="Set this password" busyLabel="Setting">
      <input type="hidden" name="token" value={token} />
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
