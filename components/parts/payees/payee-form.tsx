"use client";

import { useState } from "react";
import { addPayee, changePayee } from "@/app/payees/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { useKeptFields } from "@/components/act/use-kept-fields";
import { PageFoot } from "@/components/layout/page-head";
import { AccountFields, NO_ACCOUNT } from "@/components/parts/payees/account-fields";
import { Button, buttonClass } from "@/components/ui/button";
import { SEGMENTED } from "@/components/ui/choice-class";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { LiveButton } from "@/components/ui/live-button";
import type { PayeeAccountInput, PayeeKind } from "@/lib/contract/payee";
import { formMessage } from "@/lib/contract/refused";

const UNKNOWN = outcomeUnknown("it may or may not be saved. Open Payees to check.");

const KINDS = [
  { kind: "BUSINESS", label: "Business" },
  { kind: "INDIVIDUAL", label: "Person" },
] as const;

/** A new payee; with its account, or without one, which the payee then enters through a link. */
export function NewPayeeForm({
  needsAddress,
  formId: newFormId,
}: {
  needsAddress: boolean;
  /** New for each page. */
  formId: string;
}) {
  // One per open page: refreshed data must not bring another one. A reload keeps it with the fields.
  const { fields, change, isRestored } = useKeptFields("payee", {
    formId: newFormId,
    name: "",
    kind: "BUSINESS",
    email: "",
    whoEnters: "MEMBER",
    holderName: "",
    accountKind: "CHECKING",
  });
  const { formId, name, email, holderName } = fields;
  // Numbers and address stay in the page: what is kept for a reload may reach the disk.
  const [unkept, setUnkept] = useState(NO_ACCOUNT);
  const kind: PayeeKind = fields.kind === "INDIVIDUAL" ? "INDIVIDUAL" : "BUSINESS";
  const accountKind: PayeeAccountInput["accountKind"] =
    fields.accountKind === "SAVINGS" ? "SAVINGS" : "CHECKING";
  const account: PayeeAccountInput | null =
    fields.whoEnters === "PAYEE" ? null : { ...unkept, holderName, accountKind };
  const adding = useAction(addPayee, {
    whenLost: UNKNOWN,
    afterwards: (router, result) => router.push(result.href),
  });
  return (
    <SendForm
      className="grid gap-5 max-w-105 mt-4"
      isBusy={adding.isBusy}
      onSend={() => adding.run({ name, kind, email: email.trim() || null, account, formId })}
    >
      <InputField
        label="Name"
        hint="How you know them. Approvals and statements show it."
        autoComplete="off"
        maxLength={60}
        value={name}
        error={adding.problems.name ?? null}
        onChange={(event) => change({ name: event.target.value })}
      />
      <KindChoice kind={kind} onChange={(chosen) => change({ kind: chosen })} />
      <fieldset className="grid justify-items-start gap-1.5 m-0 p-0 border-0 [&_legend]:mb-1.5 [&_legend]:p-0 [&_legend]:text-[14px] [&_legend]:font-semibold">
        <legend>Their account</legend>
        <span className={SEGMENTED}>
          <LiveButton aria-pressed={account !== null} onClick={() => change({ whoEnters: "MEMBER" })}>
            I enter it
          </LiveButton>
          <LiveButton aria-pressed={account === null} onClick={() => change({ whoEnters: "PAYEE" })}>
            They enter it
          </LiveButton>
        </span>
      </fieldset>
      {account === null ? (
        <InputField
          label="Their email address"
          hint="Their page then offers to send them a link."
          type="email"
          autoComplete="off"
          maxLength={254}
          value={email}
          error={adding.problems.email ?? null}
          onChange={(event) => change({ email: event.target.value })}
        />
      ) : (
        <AccountFields
          account={account}
          problems={adding.problems}
          needsAddress={needsAddress}
          wasReloaded={isRestored}
          onChange={(changed) => {
            setUnkept(changed);
            change({ holderName: changed.holderName, accountKind: changed.accountKind ?? "CHECKING" });
          }}
        />
      )}
      <RefusalNote message={formMessage(adding.refusal)} />
      <PageFoot className="mt-0">
        <Button kind="primary" size="large" type="submit" busy={adding.isBusy}>
          {adding.isBusy ? "Adding" : "Add payee"}
        </Button>
        <Link className={buttonClass({ kind: "quiet" })} href="/payees">
          Cancel
        </Link>
      </PageFoot>
    </SendForm>
  );
}

export function KindChoice({ kind, onChange }: { kind: PayeeKind; onChange: (kind: PayeeKind) => void }) {
  return (
    <fieldset className="grid justify-items-start gap-1.5 m-0 p-0 border-0 [&_legend]:mb-1.5 [&_legend]:p-0 [&_legend]:text-[14px] [&_legend]:font-semibold">
      <legend>Whose account it is</legend>
      <span className={SEGMENTED}>
        {KINDS.map((choice) => (
          <LiveButton
            key={choice.kind}
            aria-pressed={choice.kind === kind}
            onClick={() => onChange(choice.kind)}
          >
            {choice.label}
          </LiveButton>
        ))}
      </span>
    </fieldset>
  );
}

interface ChangePayeeFormProps {
  payee: { id: string; name: string; kind: PayeeKind; hasAccount: boolean };
  needsAddress: boolean;
  /** New for each page. */
  formId: string;
}

/** Another name, kind or account. It waits for a confirmation like a new one. */
export function ChangePayeeForm({ payee, needsAddress, formId: newFormId }: ChangePayeeFormProps) {
  const [formId] = useState(newFormId);
  const [isOpen, setIsOpen] = useState(!payee.hasAccount);
  const [name, setName] = useState(payee.name);
  const [kind, setKind] = useState(payee.kind);
  const [account, setAccount] = useState<PayeeAccountInput | null>(payee.hasAccount ? null : NO_ACCOUNT);
  const changing = useAction(changePayee, {
    whenLost: UNKNOWN,
    onDone: () => {
      setIsOpen(false);
      setAccount(null);
    },
  });
  if (!isOpen) {
    return (
      <Button kind="outlined" onClick={() => setIsOpen(true)}>
        Change
      </Button>
    );
  }
  return (
    <SendForm
      className="grid gap-5 max-w-105"
      isBusy={changing.isBusy}
      onSend={() => changing.run({ payeeId: payee.id, name, kind, account, formId })}
    >
      <InputField
        label="Name"
        autoComplete="off"
        maxLength={60}
        value={name}
        error={changing.problems.name ?? null}
        onChange={(event) => setName(event.target.value)}
      />
      <KindChoice kind={kind} onChange={setKind} />
      {account === null ? (
        <div>
          <Button kind="outlined" size="small" onClick={() => setAccount(NO_ACCOUNT)}>
            Enter another account
          </Button>
        </div>
      ) : (
        <AccountFields
          account={account}
          problems={changing.problems}
          needsAddress={needsAddress}
          onChange={setAccount}
        />
      )}
      <RefusalNote message={formMessage(changing.refusal)} />
      <PageFoot className="mt-0">
        <Button kind="primary" type="submit" busy={changing.isBusy}>
          {changing.isBusy ? "Saving" : "Save for confirmation"}
        </Button>
        {payee.hasAccount ? (
          <Button kind="quiet" onClick={() => setIsOpen(false)}>
            Cancel
          </Button>
        ) : null}
      </PageFoot>
    </SendForm>
  );
}
