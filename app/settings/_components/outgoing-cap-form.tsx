"use client";

import { SETTING_UNKNOWN } from "@/app/settings/_components/setting-dialog";
import { useStoredField } from "@/app/settings/_components/use-stored-field";
import { setOutgoingCap } from "@/app/settings/actions";
import { ActionForm, Saved } from "@/components/act/action-form";
import { afterAsking } from "@/components/act/after-asking";
import { useAction } from "@/components/act/use-action";
import { InputField } from "@/components/ui/field";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { formatCents, parseCents } from "@/lib/contract/format-cents";

interface OutgoingCapFormProps {
  capInCents: number | null;
}

/** How much may leave Sluice within 24 hours. Letting more leave asks for proof. */
export function OutgoingCapForm({ capInCents }: OutgoingCapFormProps) {
  const [amount, setAmount] = useStoredField(capInCents === null ? "" : (capInCents / 100).toFixed(2));
  const letsMoreLeave = (next: number | null) =>
    (next ?? Number.POSITIVE_INFINITY) > (capInCents ?? Number.POSITIVE_INFINITY);
  const saving = useAction(setOutgoingCap, {
    whenLost: SETTING_UNKNOWN,
    afterwards: afterAsking,
    proof: (input) =>
      letsMoreLeave(input.capInCents)
        ? {
            act: `RAISE_OUTGOING_CAP:${amountIn(input.capInCents)}`,
            title:
              input.capInCents === null
                ? "Let any amount leave Sluice"
                : `Let ${formatCents(input.capInCents)} leave Sluice per day`,
            confirmLabel: input.capInCents === null ? "Lift the cap" : "Raise the cap",
          }
        : null,
  });
  return (
    <ActionForm
      acting={saving}
      onSend={() => {
        // The server refuses anything else, beside its field.
        const typed = amount.trim();
        saving.run({ capInCents: typed === "" ? null : (parseCents(typed) ?? -1) });
      }}
      button={{ kind: "outlined", label: "Save", busyLabel: "Saving" }}
      beside={<Saved isSaved={saving.result?.kind === "DONE"} />}
    >
      <InputField
        label="Money out within 24 hours"
        hint="In dollars. Leave it empty to lift the cap."
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={amount}
        error={saving.problems.capInCents ?? null}
        onChange={(event) => setAmount(event.target.value)}
      />
    </ActionForm>
  );
}
