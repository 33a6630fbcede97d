"use client";

import { useState } from "react";
import { createAccount, editAccount } from "@/app/accounts/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useStepUp } from "@/components/act/step-up";
import { useAction } from "@/components/act/use-action";
import { WaitingChangeNotes } from "@/components/parts/approvals/waiting-change-notes";
import { Button, buttonClass } from "@/components/ui/button";
import { FORM_BUTTONS } from "@/components/ui/button-row";
import { SEGMENTED } from "@/components/ui/choice-class";
import { InputField, TextareaField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { LiveButton } from "@/components/ui/live-button";
import { SelectField } from "@/components/ui/select-field";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import type { Beneficiary } from "@/lib/contract/account";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { formatCents, parseCents } from "@/lib/contract/format-cents";
import { MAXIMUM_ACCOUNT_DESCRIPTION_LENGTH, MAXIMUM_ACCOUNT_NAME_LENGTH } from "@/lib/contract/limits";
import { formMessage, type Refused } from "@/lib/contract/refused";
import type { AccountFormView } from "@/lib/views/accounts/read-account-form";
import { ACCOUNT_KIND_WORDS } from "@/lib/words/account-words";

interface NewAccountFormProps {
  /** The first is the default. */
  beneficiaries: Beneficiary[];
  /** The organization's default for new pods, or null. */
  newPodFloorInCents: number | null;
  cancelHref: string;
}

const KINDS = [
  { type: "POD", does: "A pod holds money for one purpose. It starts empty." },
  {
    type: "INCOME_SOURCE",
    does: "An income source receives money from outside. It gets its own account number.",
  },
] as const;

/** The form for a new pod or income source. */
export function NewAccountForm({ beneficiaries, newPodFloorInCents, cancelHref }: NewAccountFormProps) {
  const form = useAccountForm(createAccount, CREATED_UNKNOWN);
  const [type, setType] = useState<(typeof KINDS)[number]["type"]>("POD");
  // Without the dollar sign, which is in the hint.
  const newPodFloor = newPodFloorInCents === null ? "" : formatCents(newPodFloorInCents).slice(1);
  return (
    <SendForm
      className="grid gap-5 max-w-140 wrap-anywhere [&_form_.notice]:mb-4 [&_.section]:mt-0"
      isBusy={form.isBusy}
      onSend={form.send}
    >
      <h1 className={PAGE_TITLE}>New account</h1>
      <fieldset className="grid [&>span]:justify-self-start gap-3 m-0 p-0 border-0">
        <legend className="sr-only">Account type</legend>
        <span className={SEGMENTED}>
          {KINDS.map((kind) => (
            <LiveButton key={kind.type} aria-pressed={kind.type === type} onClick={() => setType(kind.type)}>
              {ACCOUNT_KIND_WORDS[kind.type]}
            </LiveButton>
          ))}
        </span>
        <p className={LEDE}>{KINDS.find((kind) => kind.type === type)?.does}</p>
      </fieldset>
      <input type="hidden" name="type" value={type} />
      <div className="grid gap-5">
        <AccountFields
          problems={form.problems}
          start={{ floor: type === "POD" ? newPodFloor : "" }}
          hasFloor
          hasTarget={type === "POD"}
        />
        {beneficiaries.length > 1 ? (
          <SelectField
            label="Owned by"
            name="beneficiaryId"
            defaultValue=""
            error={form.problems.beneficiaryId ?? null}
            options={beneficiaries.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
      </div>
      <RefusalNote message={form.message} />
      <div className={FORM_BUTTONS}>
        <Link className={buttonClass({ kind: "quiet" })} href={cancelHref}>
          Cancel
        </Link>
        <Button kind="primary" type="submit" busy={form.isBusy}>
          {form.isBusy ? "Opening" : "Open account"}
        </Button>
      </div>
    </SendForm>
  );
}

interface EditAccountFormProps {
  view: AccountFormView;
  cancelHref: string;
  closeHref: string;
}

/** The form for an account's name, description and settings. */
export function EditAccountForm({ view, cancelHref, closeHref }: EditAccountFormProps) {
  const prove = useStepUp();
  // The page may be refreshed under what was typed: what the member saw is what they edit.
  const [seen] = useState({ updatedAt: view.seenUpdatedAt, start: startOf(view) });
  const form = useAccountForm(async (values, shown) => {
    const first = await editAccount(values, shown);
    if (!first.needsProof) return first;
    const floor = parseCents(String(values.get("floor") ?? "")) || null;
    const proof = await prove({
      act: `LOWER_FLOOR:${view.accountId}:${amountIn(floor)}`,
      title: floor
        ? `Lower the floor of ${view.name} to ${formatCents(floor)}`
        : `Remove the floor of ${view.name}`,
      ...LOWER_FLOOR,
    });
    return proof.kind === "DONE" ? editAccount(values, shown) : proof;
  }, SAVED_UNKNOWN);
  const isPod = view.kind === "POD";
  const isManaged = isPod || view.kind === "INCOME_SOURCE";
  return (
    <SendForm
      className="grid gap-5 max-w-140 wrap-anywhere [&_form_.notice]:mb-4 [&_.section]:mt-0"
      isBusy={form.isBusy}
      onSend={form.send}
    >
      <h1 className={PAGE_TITLE}>Edit {view.name}</h1>
      <input type="hidden" name="accountId" value={view.accountId} />
      <input type="hidden" name="seenUpdatedAt" value={seen.updatedAt} />
      <div className="grid gap-5">
        <AccountFields problems={form.problems} start={seen.start} hasFloor={isManaged} hasTarget={isPod} />
        {isPod && view.liabilities.length > 0 ? (
          <SelectField
            label="Pays"
            hint="The debt that this pod pays. Linking moves no money."
            name="linkedAccountId"
            defaultValue={view.linkedAccountId ?? ""}
            error={form.problems.linkedAccountId ?? null}
            options={[
              { value: "", label: "No debt" },
              ...view.liabilities.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        ) : null}
      </div>
      <WaitingChangeNotes changes={view.waitingChanges} canAsk />
      <RefusalNote message={form.message} />
      {isManaged ? (
        <p className="text-sm text-ink-3">
          Approvers of open proposals see a changed name or floor before they can approve.
        </p>
      ) : null}
      <div className={FORM_BUTTONS}>
        {isManaged ? (
          <Link className={buttonClass({ kind: "quiet" })} href={closeHref}>
            Close this account
          </Link>
        ) : null}
        <Link className={buttonClass({ kind: "quiet" })} href={cancelHref}>
          Cancel
        </Link>
        <Button kind="primary" type="submit" busy={form.isBusy}>
          {form.isBusy ? "Saving" : "Save changes"}
        </Button>
      </div>
    </SendForm>
  );
}

const CREATED_UNKNOWN = outcomeUnknown(
  "it may or may not be open. Check your accounts before you try again.",
);
const SAVED_UNKNOWN = outcomeUnknown("it may or may not be saved. Reload the page to check.");
const LOWER_FLOOR = {
  confirmLabel: "Save changes",
  why: "A lower floor lets rules and keys take more from this account.",
};

/** Opens the account's page, unless it is refused. */
function useAccountForm(act: typeof createAccount, whenLost: Refused) {
  const { run, isBusy, refusal, problems } = useAction(act, { whenLost, afterwards: null });
  const send = (form: HTMLFormElement) => run(new FormData(form));
  return { send, isBusy, problems, message: formMessage(refusal) };
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
  problems: NonNullable<Refused["problems"]>;
  /** Initial values by field name. */
  start: Record<string, string>;
  hasFloor: boolean;
  hasTarget: boolean;
}

/** The fields that both forms share. */
function AccountFields({ problems, start, hasFloor, hasTarget }: AccountFieldsProps) {
  const field = (name: string) => ({
    name,
    defaultValue: start[name] ?? "",
    error: problems[name] ?? null,
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
