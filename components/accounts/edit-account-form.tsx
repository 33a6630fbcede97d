"use client";

import { useActionState, useEffect, useRef, useState } from "react";
import { AccountFields } from "@/components/accounts/account-fields";
import { useStepUp } from "@/components/auth/use-step-up";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { SelectField } from "@/components/ui/select-field";
import { formatCents } from "@/lib/contract/format-cents";
import { formMessage } from "@/lib/contract/refused";
import type { AccountFormView, FormAction, FormResult } from "@/lib/contract/views/account-page-view";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

interface EditAccountFormProps {
  view: AccountFormView;
  save: FormAction;
  presence: PresenceActions;
  cancelHref: string;
  closeHref: string;
}

/** Changes what a person says of an account and wants of it. */
export function EditAccountForm({ view, save, presence, cancelHref, closeHref }: EditAccountFormProps) {
  const [result, submit, isBusy] = useActionState(save, null);
  const proof = useProofBeforeSaving(result, presence);
  const isPod = view.kind === "POD";
  const isManaged = isPod || view.kind === "INCOME_SOURCE";
  return (
    <>
      <form action={submit} className="acc-form" noValidate ref={proof.form}>
        <h1 className="h1">Edit {view.name}</h1>
        <input type="hidden" name="seenUpdatedAt" value={view.seenUpdatedAt} />
        {/* A form is emptied after its action: the key puts back what was typed. */}
        <div className="acc-fields" key={JSON.stringify(result?.values)}>
          <AccountFields result={result} start={startOf(view)} hasFloor={isManaged} hasTarget={isPod} />
          {isPod && view.liabilities.length > 0 ? (
            <SelectField
              label="Pays"
              hint="The debt that this pod’s money is for. Linking it moves nothing."
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
            A changed name or floor is shown to the approver of a waiting proposal before it can be approved.
          </p>
        ) : null}
        <div className="btns">
          {isManaged ? (
            <Link className={buttonClass({ kind: "quiet" })} href={closeHref}>
              Close this account
            </Link>
          ) : null}
          <Link className={buttonClass({ kind: "quiet" })} href={cancelHref}>
            Leave it as it is
          </Link>
          <Button kind="primary" type="submit" busy={isBusy}>
            {isBusy ? "Saving" : "Save changes"}
          </Button>
        </div>
      </form>
      {proof.dialog}
    </>
  );
}

/** Where the change takes a proof, asks for it, and sends the same form again. */
function useProofBeforeSaving(result: FormResult | null, presence: PresenceActions) {
  const form = useRef<HTMLFormElement>(null);
  const [refusal, setRefusal] = useState<{ of: FormResult; message: string } | null>(null);
  const { prove, dialog } = useStepUp(presence, {
    title: "Confirm that it is you",
    confirmLabel: "Save changes",
  });
  const asked = useRef<FormResult | null>(null);
  useEffect(() => {
    if (!result?.needsProof || asked.current === result) return;
    asked.current = result;
    void prove().then((proved) => {
      if (proved.kind === "DONE") form.current?.requestSubmit();
      else setRefusal({ of: result, message: proved.message });
    });
  }, [result, prove]);
  const message = refusal && refusal.of === result ? refusal.message : formMessage(result);
  return { form, dialog, message };
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
