"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import type { Beneficiary, NewBeneficiary } from "@/lib/contract/account";
import { formMessage } from "@/lib/contract/refused";
import type { AddBeneficiaryResult } from "@/lib/contract/views/accounts-view";

interface NewBeneficiaryFormProps {
  addBeneficiary: (input: NewBeneficiary) => Promise<AddBeneficiaryResult>;
}

const KINDS = [
  { type: "BUSINESS", label: "Business", hint: "Its registered legal name." },
  { type: "INDIVIDUAL", label: "Individual", hint: "The person’s name, or the names of all joint owners." },
] as const;

const UNKNOWN: AddBeneficiaryResult = {
  kind: "REFUSED",
  message: "Sluice did not answer, so it may or may not be added. Reload the page to check.",
};

export function NewBeneficiaryForm({ addBeneficiary }: NewBeneficiaryFormProps) {
  const router = useRouter();
  const [beneficiaryType, setType] = useState<Beneficiary["beneficiaryType"]>("BUSINESS");
  const [name, setName] = useState("");
  const [result, setResult] = useState<AddBeneficiaryResult | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const [isBusy, startAdding] = useTransition();
  const refusal = result?.kind === "REFUSED" ? result : null;

  const submit = () =>
    startAdding(async () => {
      setAdded(null);
      const answer = await addBeneficiary({ name, beneficiaryType }).catch(() => UNKNOWN);
      setResult(answer);
      if (answer.kind === "REFUSED") return;
      setAdded(name.trim());
      setName("");
      router.refresh();
    });

  return (
    <form
      method="post"
      noValidate
      className="ben-f"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) submit();
      }}
    >
      <fieldset className="mem-r">
        <legend className="vh">Kind of beneficiary</legend>
        <span className="seg">
          {KINDS.map(({ type, label }) => (
            <button
              key={type}
              type="button"
              aria-pressed={type === beneficiaryType}
              onClick={() => setType(type)}
            >
              {label}
            </button>
          ))}
        </span>
      </fieldset>
      <InputField
        label="Name"
        hint={KINDS.find(({ type }) => type === beneficiaryType)?.hint}
        autoComplete="off"
        maxLength={200}
        value={name}
        error={refusal?.problems?.name ?? null}
        onChange={(event) => setName(event.target.value)}
      />
      <div role="status">
        {formMessage(refusal) ? <Note tone="red">{formMessage(refusal)}</Note> : null}
        {added ? <Note tone="teal">{added} was added. Open an account for them under Accounts.</Note> : null}
      </div>
      <Button kind="primary" type="submit" busy={isBusy}>
        {isBusy ? "Adding" : "Add beneficiary"}
      </Button>
    </form>
  );
}
