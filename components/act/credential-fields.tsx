import type { ComponentProps } from "react";
import { InputField } from "@/components/ui/field";
import {
  MAXIMUM_EMAIL_LENGTH,
  MAXIMUM_PASSWORD_LENGTH,
  MAXIMUM_PERSON_NAME_LENGTH,
} from "@/lib/contract/members";

/** What differs between forms; names and limits are fixed for password managers and the server. */
type Given = Pick<ComponentProps<typeof InputField>, "label" | "hint" | "error" | "required">;

export function EmailField(given: Omit<Given, "label">) {
  return (
    <InputField
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      maxLength={MAXIMUM_EMAIL_LENGTH}
      {...given}
    />
  );
}

export function PersonNameField(given: Pick<Given, "error" | "required">) {
  return (
    <InputField
      label="Your name"
      name="name"
      autoComplete="name"
      maxLength={MAXIMUM_PERSON_NAME_LENGTH}
      hint="Shown next to your decisions."
      {...given}
    />
  );
}

export function NewPasswordField(given: Given) {
  return (
    <InputField
      name="password"
      type="password"
      autoComplete="new-password"
      maxLength={MAXIMUM_PASSWORD_LENGTH}
      {...given}
    />
  );
}

type AppCodeFieldProps = Pick<
  ComponentProps<typeof InputField>,
  "ref" | "name" | "value" | "error" | "hint" | "onChange" | "required"
>;

/** Six digits of an authenticator app; phones show a number pad, and browsers may fill them in. */
export function AppCodeField({ hint = "The six digits it shows now.", ...field }: AppCodeFieldProps) {
  return (
    <InputField
      {...field}
      label="Authenticator code"
      hint={hint}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={9}
    />
  );
}
