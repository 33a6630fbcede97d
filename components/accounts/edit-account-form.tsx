"use client";

import { useActionState } from "react";
import { AccountFields } from "@/components/accounts/account-fields";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { SelectField } from "@/components/ui/select-field";
import { formatCents } from "@/lib/contract/format-cents";
import type { AccountFormView, FormAction } from "@/lib/contract/views/account-page-view";

interface EditAccountFormProps {
  view: AccountFormView;
  save: FormAction;
  cancelHref: string;
  closeHref: string;
}

/** Changes what a person says of an account and wants of it. */
export function EditAccountForm({ view, save, cancelHref, closeHref }: EditAccountFormProps) {
  const [result, submit, isBusy] = useActionState(save, null);
  const isPod = view.kind === "POD";
  const isManaged = isPod || view.kind === "INCOME_SOURCE";
  return (
    <form action={submit} className="acc-form" noValidate>
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
            error={result?.problems.linkedAccountId ?? null}
            options={[
              { value: "", label: "No debt" },
              ...view.liabilities.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        ) : null}
      </div>
      <div role="status">{result?.message ? <Note tone="red">{result.message}</Note> : null}</div>
      {isManaged ? (
        <p className="meta">
          A changed name or floor is shown to whoever decides about a waiting proposal before it can be
          approved.
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
  );
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
