"use client";

import { enterAccount } from "@/app/payee/[token]/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { FormSays, GuardedForm, useServerForm } from "@/components/parts/sign-in/guarded-form";
import { InputField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { StateField } from "@/components/ui/state-field";

const UNKNOWN = outcomeUnknown("it may or may not have been received. Load this page again to check.");

const KINDS = [
  { value: "CHECKING", label: "Checking" },
  { value: "SAVINGS", label: "Savings" },
];

/** The fields are uncontrolled and start empty: what was typed is never sent back. */
export function PayeeLinkForm({ token, needsAddress }: { token: string; needsAddress: boolean }) {
  const form = useServerForm(enterAccount, UNKNOWN);
  if (form.answer?.kind === "SAID") return <FormSays answer={form.answer} />;
  const field = (name: string) => ({
    name,
    error: form.problems[name] ?? null,
    autoComplete: "off",
    spellCheck: false,
  });
  return (
    <GuardedForm form={form} label="Send to their bank" busyLabel="Sending">
      <input type="hidden" name="token" value={token} />
      <InputField
        {...field("holderName")}
        label="Account holder"
        hint="As your bank knows you."
        maxLength={100}
      />
      <SelectField label="Kind of account" name="accountKind" options={KINDS} />
      <InputField
        {...field("routingNumber")}
        label="Routing number"
        hint="Nine digits, for ACH."
        inputMode="numeric"
        maxLength={20}
      />
      <InputField {...field("accountNumber")} label="Account number" inputMode="numeric" maxLength={40} />
      {needsAddress ? (
        <>
          <InputField
            {...field("street")}
            label="Your street address"
            hint="The bank requires it. Sluice does not keep it."
            maxLength={100}
          />
          <InputField {...field("city")} label="City" maxLength={60} />
          <StateField name="state" defaultValue="" autoComplete="off" error={form.problems.state ?? null} />
          <InputField {...field("postalCode")} label="ZIP code" inputMode="numeric" maxLength={10} />
        </>
      ) : null}
    </GuardedForm>
  );
}
