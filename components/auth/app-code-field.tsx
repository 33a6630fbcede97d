import type { ComponentProps } from "react";
import { InputField } from "@/components/ui/field";

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
