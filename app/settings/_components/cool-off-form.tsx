"use client";

import { setPayeeCoolOff } from "@/app/payees/actions";
import { SETTING_UNKNOWN } from "@/app/settings/_components/setting-dialog";
import { useStoredField } from "@/app/settings/_components/use-stored-field";
import { ActionForm, Saved } from "@/components/act/action-form";
import { afterAsking } from "@/components/act/after-asking";
import { useAction } from "@/components/act/use-action";
import { InputField } from "@/components/ui/field";
import { parseCents } from "@/lib/contract/format-cents";
import type { CoolOff } from "@/lib/contract/payee";

interface CoolOffFormProps {
  coolOff: CoolOff;
}

/** How long payments to a new or changed payee wait, and above which amount. Loosening it asks for proof. */
export function CoolOffForm({ coolOff }: CoolOffFormProps) {
  const [amount, setAmount] = useStoredField((coolOff.aboveInCents / 100).toFixed(2));
  const [hours, setHours] = useStoredField(String(coolOff.hours));
  const saving = useAction(setPayeeCoolOff, {
    whenLost: SETTING_UNKNOWN,
    afterwards: afterAsking,
    proof: (input) =>
      input.aboveInCents > coolOff.aboveInCents || input.hours < coolOff.hours
        ? {
            act: `SHORTEN_COOL_OFF:${input.aboveInCents}:${input.hours}`,
            title: "Loosen the cool-off of payees",
            confirmLabel: "Loosen the cool-off",
          }
        : null,
  });
  return (
    <ActionForm
      acting={saving}
      onSend={() => {
        // The server refuses anything else, beside its field.
        const aboveInCents = parseCents(amount) ?? -1;
        const isWhole = /^[0-9]{1,4}$/.test(hours.trim());
        saving.run({ aboveInCents, hours: isWhole ? Number(hours) : -1 });
      }}
      button={{ kind: "outlined", label: "Save", busyLabel: "Saving" }}
      beside={<Saved isSaved={saving.result?.kind === "DONE"} />}
    >
      <InputField
        label="Amount"
        hint="In dollars. Payments to all new and changed payees that together exceed it wait."
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={amount}
        error={saving.problems.aboveInCents ?? null}
        onChange={(event) => setAmount(event.target.value)}
      />
      <InputField
        label="Hours"
        hint="From the confirmation. At most 720; 0 for none."
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        value={hours}
        error={saving.problems.hours ?? null}
        onChange={(event) => setHours(event.target.value)}
      />
    </ActionForm>
  );
}
