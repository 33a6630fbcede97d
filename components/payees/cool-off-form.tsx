"use client";

import { useState } from "react";
import { RefusalNote } from "@/components/actions/refusal-note";
import { useAction } from "@/components/actions/use-action";
import { SETTING_UNKNOWN } from "@/components/settings/setting-dialog";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { parseCents } from "@/lib/contract/format-cents";
import type { CoolOff } from "@/lib/contract/payee";
import { formMessage } from "@/lib/contract/refused";
import type { PayeeResult } from "@/lib/contract/views/payees-view";

interface CoolOffFormProps {
  coolOff: CoolOff;
  setPayeeCoolOff: (input: CoolOff) => Promise<PayeeResult>;
}

/** How long payments to a new or changed payee wait, and above which amount. Loosening it asks for proof. */
export function CoolOffForm({ coolOff, setPayeeCoolOff }: CoolOffFormProps) {
  const [amount, setAmount] = useState((coolOff.aboveInCents / 100).toFixed(2));
  const [hours, setHours] = useState(String(coolOff.hours));
  const saving = useAction({
    act: setPayeeCoolOff,
    whenLost: SETTING_UNKNOWN,
    proof: (input) =>
      input.aboveInCents > coolOff.aboveInCents || input.hours < coolOff.hours
        ? { confirmLabel: "Loosen the cool-off" }
        : null,
  });
  return (
    <form
      method="post"
      noValidate
      className="grid gap-5 max-w-105 mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        // The server refuses anything else, beside its field.
        const aboveInCents = parseCents(amount) ?? -1;
        const isWhole = /^[0-9]{1,4}$/.test(hours.trim());
        if (!saving.isBusy) saving.run({ aboveInCents, hours: isWhole ? Number(hours) : -1 });
      }}
    >
      <InputField
        label="Amount"
        hint="In dollars. Payments to the payee that together exceed it wait."
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
      <RefusalNote message={formMessage(saving.refusal)} />
      <div className="flex items-center gap-3">
        <Button kind="outlined" type="submit" busy={saving.isBusy}>
          {saving.isBusy ? "Saving" : "Save"}
        </Button>
        <span role="status" className="text-sm text-ink-3">
          {saving.result ? "Saved." : null}
        </span>
      </div>
    </form>
  );
}
