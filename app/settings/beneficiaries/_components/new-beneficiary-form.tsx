"use client";

import { useState } from "react";
import { addBeneficiary } from "@/app/settings/beneficiaries/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { SEGMENTED } from "@/components/ui/choice-class";
import { InputField } from "@/components/ui/field";
import { LiveButton } from "@/components/ui/live-button";
import { Note } from "@/components/ui/note";
import type { Beneficiary } from "@/lib/contract/account";
import { formMessage } from "@/lib/contract/refused";

const KINDS = [
  { type: "BUSINESS", label: "Business", hint: "Its registered legal name." },
  { type: "INDIVIDUAL", label: "Individual", hint: "The person’s name, or the names of all joint owners." },
] as const;

const UNKNOWN = outcomeUnknown("it may or may not be added. Reload the page to check.");

export function NewBeneficiaryForm() {
  const [beneficiaryType, setType] = useState<Beneficiary["beneficiaryType"]>("BUSINESS");
  const [name, setName] = useState("");
  const adding = useAction(addBeneficiary, { whenLost: UNKNOWN, onDone: () => setName("") });
  const problem = formMessage(adding.refusal);
  const added = adding.result ? adding.input?.name.trim() : null;

  return (
    <SendForm
      className="[&>[role='status']:empty]:-mt-5 grid justify-items-start gap-5 max-w-105 mt-4 [&_.field]:w-full"
      isBusy={adding.isBusy}
      onSend={() => adding.run({ name, beneficiaryType })}
    >
      <fieldset className="grid justify-items-start gap-1 m-0 p-0 border-0 [&_legend]:mb-1.5 [&_legend]:p-0 [&_legend]:font-semibold">
        <legend className="sr-only">Kind of beneficiary</legend>
        <span className={SEGMENTED}>
          {KINDS.map(({ type, label }) => (
            <LiveButton key={type} aria-pressed={type === beneficiaryType} onClick={() => setType(type)}>
              {label}
            </LiveButton>
          ))}
        </span>
      </fieldset>
      <InputField
        label="Name"
        hint={KINDS.find(({ type }) => type === beneficiaryType)?.hint}
        autoComplete="off"
        maxLength={200}
        value={name}
        error={adding.problems.name ?? null}
        onChange={(event) => setName(event.target.value)}
      />
      <div role="status">
        {problem ? <Note tone="red">{problem}</Note> : null}
        {added ? <Note tone="teal">{added} was added. Open an account for them under Accounts.</Note> : null}
      </div>
      <Button kind="primary" type="submit" busy={adding.isBusy}>
        {adding.isBusy ? "Adding" : "Add beneficiary"}
      </Button>
    </SendForm>
  );
}
