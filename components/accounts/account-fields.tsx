import { InputField, TextareaField } from "@/components/ui/field";
import { MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH, MAXIMUM_ACCOUNT_NAME_LENGTH } from "@/lib/contract/limits";
import type { FormResult } from "@/lib/contract/views/account-page-view";

interface AccountFieldsProps {
  result: FormResult | null;
  /** What each field starts with, by its name. */
  start: Record<string, string>;
  hasFloor: boolean;
  hasTarget: boolean;
}

/** The fields that a new account and a changed one have in common. */
export function AccountFields({ result, start, hasFloor, hasTarget }: AccountFieldsProps) {
  const field = (name: string) => ({
    name,
    defaultValue: result?.values[name] ?? start[name] ?? "",
    error: result?.problems?.[name] ?? null,
  });
  return (
    <>
      <InputField
        {...field("name")}
        label="Name"
        hint="Short; it stands in every question about its money."
        maxLength={MAXIMUM_ACCOUNT_NAME_LENGTH}
        autoComplete="off"
        required
      />
      <TextareaField
        {...field("description")}
        label="Description"
        hint="Optional. What its money is for."
        rows={2}
        maxLength={MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH}
      />
      {hasFloor ? (
        <InputField
          {...field("floor")}
          // What it starts with may change with the kind of account.
          key={start.floor}
          label="Floor"
          hint="In dollars. What you want to keep in it: no rule, and no key without approval, takes it below. Empty for none."
          inputMode="decimal"
          autoComplete="off"
          placeholder="None"
        />
      ) : null}
      {hasTarget ? (
        <InputField
          {...field("savingsTarget")}
          label="Savings target"
          hint="In dollars. Empty for none."
          inputMode="decimal"
          autoComplete="off"
          placeholder="None"
        />
      ) : null}
    </>
  );
}
