"use client";

import { useActionState, useEffect, useRef, useState } from "react";
import { useStepUp } from "@/components/auth/step-up";
import { Button, buttonClass } from "@/components/ui/button";
import { InputField, TextareaField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { SelectField } from "@/components/ui/select-field";
import { useIsLive } from "@/components/ui/submit-button";
import type { Beneficiary } from "@/lib/contract/account";
import { formatCents } from "@/lib/contract/format-cents";
import { MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH, MAXIMUM_ACCOUNT_NAME_LENGTH } from "@/lib/contract/limits";
import { formMessage } from "@/lib/contract/refused";
import type { AccountFormView, FormAction, FormResult } from "@/lib/contract/views/account-page-view";

interface NewAccountFormProps {
  /** The first is the default. */
  beneficiaries: Beneficiary[];
  /** The organization's default for new pods, or null. */
  newPodFloorInCents: number | null;
  create: FormAction;
  cancelHref: string;
}

const KINDS = [
  { type: "POD", label: "Pod", does: "A pod holds money for one purpose. It starts empty." },
  {
    type: "INCOME_SOURCE",
    label: "Income source",
    does: "An income source receives money from outside. It gets its own account number.",
  },
] as const;

/** The form for a new pod or income source. */
export function NewAccountForm({
  beneficiaries,
  newPodFloorInCents,
  create,
  cancelHref,
}: NewAccountFormProps) {
  const [result, submit, isBusy] = useActionState(create, null);
  const message = formMessage(result);
  const [type, setType] = useState<(typeof KINDS)[number]["type"]>("POD");
  // Without the dollar sign, which is in the hint.
  const newPodFloor = newPodFloorInCents === null ? "" : formatCents(newPodFloorInCents).slice(1);
  return (
    <form action={submit} className="acc-form" noValidate>
      <h1 className="h1">New account</h1>
      <fieldset className="acc-kind">
        <legend className="vh">Account type</legend>
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
      {/* React resets a form after its action; the new key restores the entered values. */}
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
          Cancel
        </Link>
        <Button kind="primary" type="submit" busy={isBusy}>
          {isBusy ? "Opening" : "Open account"}
        </Button>
      </div>
    </form>
  );
}

interface EditAccountFormProps {
  view: AccountFormView;
  save: FormAction;
  cancelHref: string;
  closeHref: string;
}

/** The form for an account's name, description and settings. */
export function EditAccountForm({ view, save, cancelHref, closeHref }: EditAccountFormProps) {
  const [result, submit, isBusy] = useActionState(save, null);
  const proof = useProofBeforeSaving(result);
  const isPod = view.kind === "POD";
  const isManaged = isPod || view.kind === "INCOME_SOURCE";
  return (
    <form action={submit} className="acc-form" noValidate ref={proof.form}>
      <h1 className="h1">Edit {view.name}</h1>
      <input type="hidden" name="seenUpdatedAt" value={view.seenUpdatedAt} />
      {/* React resets a form after its action; the new key restores the entered values. */}
      <div className="acc-fields" key={JSON.stringify(result?.values)}>
        <AccountFields result={result} start={startOf(view)} hasFloor={isManaged} hasTarget={isPod} />
        {isPod && view.liabilities.length > 0 ? (
          <SelectField
            label="Pays"
            hint="The debt that this pod pays. Linking moves no money."
            name="linkedAccountId"
            defaultValue={result?.values.linkedAccountId ?? view.linkedAccountId ?? ""}
            error={result?.problems?.linkedAccountId ?? null}
            options={[
              { value: "", label: "No debt" },
              ...view.liabilities.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        ) : null}
      </div>
      <div role="status">{proof.message ? <Note tone="red">{proof.message}</Note> : null}</div>
      {isManaged ? (
        <p className="meta">
          Approvers of open proposals see a changed name or floor before they can approve.
        </p>
      ) : null}
      <div className="btns">
        {isManaged ? (
          <Link className={buttonClass({ kind: "quiet" })} href={closeHref}>
            Close this account
          </Link>
        ) : null}
        <Link className={buttonClass({ kind: "quiet" })} href={cancelHref}>
          Cancel
        </Link>
        <Button kind="primary" type="submit" busy={isBusy}>
          {isBusy ? "Saving" : "Save changes"}
        </Button>
      </div>
    </form>
  );
}

const LOWER_FLOOR = {
  confirmLabel: "Save changes",
  why: "A lower floor lets rules and keys take more from this account.",
};

/** If the change needs step-up, confirms it and submits the same form again. */
function useProofBeforeSaving(result: FormResult | null) {
  const form = useRef<HTMLFormElement>(null);
  const [refusal, setRefusal] = useState<{ of: FormResult; message: string } | null>(null);
  const prove = useStepUp();
  // Without scripts nothing asks for the proof, so the refusal must say it.
  const canAsk = useIsLive();
  const asked = useRef<FormResult | null>(null);
  useEffect(() => {
    if (!result?.needsProof || asked.current === result) return;
    asked.current = result;
    void prove(LOWER_FLOOR).then((proved) => {
      if (proved.kind === "DONE") form.current?.requestSubmit();
      else setRefusal({ of: result, message: proved.message });
    });
  }, [result, prove]);
  const refused = refusal && refusal.of === result ? refusal.message : null;
  const message = refused ?? (result?.needsProof && canAsk ? null : formMessage(result));
  return { form, message };
}

function startOf(view: AccountFormView): Record<string, string> {
  const amount = (cents: number | null) => (cents === null ? "" : formatCents(cents).slice(1));
  return {
    name: view.name,
    description: view.description ?? "",
    floor: amount(view.floorInCents),
    savingsTarget: amount(view.savingsTargetInCents),
  };
}

interface AccountFieldsProps {
  result: FormResult | null;
  /** Initial values by field name. */
  start: Record<string, string>;
  hasFloor: boolean;
  hasTarget: boolean;
}

/** The fields that both forms share. */
function AccountFields({ result, start, hasFloor, hasTarget }: AccountFieldsProps) {
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
        hint="Short; shown in every approval."
        maxLength={MAXIMUM_ACCOUNT_NAME_LENGTH}
        autoComplete="off"
        required
      />
      <TextareaField
        {...field("description")}
        label="Description"
        hint="Optional. What the money is for."
        rows={2}
        maxLength={MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH}
      />
      {hasFloor ? (
        <InputField
          {...field("floor")}
          // The initial value may change with the account type.
          key={start.floor}
          label="Floor"
          hint="In dollars. The minimum to keep: rules, and keys without approval, can’t go below it. Leave empty for none."
          inputMode="decimal"
          autoComplete="off"
          placeholder="None"
        />
      ) : null}
      {hasTarget ? (
        <InputField
          {...field("savingsTarget")}
          label="Savings target"
          hint="In dollars. Leave empty for none."
          inputMode="decimal"
          autoComplete="off"
          placeholder="None"
        />
      ) : null}
    </>
  );
}
