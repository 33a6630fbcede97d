import type { ComponentProps } from "react";
import { InputField } from "@/components/ui/field";
import {
  MAXIMUM_EMAIL_LENGTH,
  MAXIMUM_PASSWORD_LENGTH,
  MAXIMUM_PERSON_NAME_LENGTH,
} from "@/lib/contract/members";

/** What differs from form to form; the rest is what password managers and the server's limits go by. */
type Given = Pick<ComponentProps<typeof InputField>, "label" | "hint" | "error" | "required">;

/** The address that a member signs in with. */
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

/** The name of somebody who is new here. */
export function PersonNameField(given: Pick<Given, "error" | "required">) {
  return (
    <InputField
      label="Your name"
      name="name"
      autoComplete="name"
      maxLength={MAXIMUM_PERSON_NAME_LENGTH}
      hint="It stands beside everything that you decide."
      {...given}
    />
  );
}

/** A password that is chosen here. */
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

/** Six digits of an authenticator app. A telephone shows digits, and a browser may fill them in. */
export function AppCodeField({ hint = "The six digits that it shows now.", ...field }: AppCodeFieldProps) {
  return (
    <InputField
      {...field}
      label="Code of your authenticator app"
      hint={hint}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={9}
    />
  );
}
