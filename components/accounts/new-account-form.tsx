"use client";

import { useActionState, useState } from "react";
import { AccountFields } from "@/components/accounts/account-fields";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { SelectField } from "@/components/ui/select-field";
import type { Beneficiary } from "@/lib/contract/beneficiary";
import { formatCents } from "@/lib/contract/format-cents";
import { formMessage } from "@/lib/contract/refused";
import type { FormAction } from "@/lib/contract/views/account-page-view";

interface NewAccountFormProps {
  /** The first is the default. */
  beneficiaries: Beneficiary[];
  /** What the owners set for new pods; null: nothing. */
  newPodFloorInCents: number | null;
  create: FormAction;
  cancelHref: string;
}

const KINDS = [
  { type: "POD", label: "Pod", does: "A pod holds money that you route and save. It starts empty." },
  {
    type: "INCOME_SOURCE",
    label: "Income source",
    does: "An income source is where outside money enters. The bank gives it a number of its own.",
  },
] as const;

/** Opens a pod or an income source. */
export function NewAccountForm({
  beneficiaries,
  newPodFloorInCents,
  create,
  cancelHref,
}: NewAccountFormProps) {
  const [result, submit, isBusy] = useActionState(create, null);
  const message = formMessage(result);
  const [type, setType] = useState<(typeof KINDS)[number]["type"]>("POD");
  // Without the dollar sign, which the hint says.
  const newPodFloor = newPodFloorInCents === null ? "" : formatCents(newPodFloorInCents).slice(1);
  return (
    <form action={submit} className="acc-form" noValidate>
      <h1 className="h1">New account</h1>
      <fieldset className="acc-kind">
        <legend className="vh">Kind of account</legend>
        <span className="seg">
          {KINDS.map((kind) => (
            <button
              key={kind.type}
              type="button"
              aria-pressed={kind.type === type}
              onClick={() => setType(kind.type)}
            >
              {kind.label}
            </button>
          ))}
        </span>
        <p className="lede">{KINDS.find((kind) => kind.type === type)?.does}</p>
      </fieldset>
      <input type="hidden" name="type" value={type} />
      {/* A form is emptied after its action: the key puts back what was typed. */}
      <div className="acc-fields" key={JSON.stringify(result?.values)}>
        <AccountFields
          result={result}
          start={{ floor: type === "POD" ? newPodFloor : "" }}
          hasFloor
          hasTarget={type === "POD"}
        />
        {beneficiaries.length > 1 ? (
          <SelectField
            label="Owned by"
            name="beneficiaryId"
            defaultValue={result?.values.beneficiaryId ?? ""}
            error={result?.problems?.beneficiaryId ?? null}
            options={beneficiaries.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
      </div>
      <div role="status">{message ? <Note tone="red">{message}</Note> : null}</div>
      <div className="btns">
        <Link className={buttonClass({ kind: "quiet" })} href={cancelHref}>
          Not now
        </Link>
        <Button kind="primary" type="submit" busy={isBusy}>
          {isBusy ? "Opening" : "Open account"}
        </Button>
      </div>
    </form>
  );
}
