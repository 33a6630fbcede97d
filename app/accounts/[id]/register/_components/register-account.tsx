"use client";

import { useState } from "react";
import { registerAccount } from "@/app/accounts/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { AddressFields } from "@/components/parts/payees/account-fields";
import { KindChoice } from "@/components/parts/payees/payee-form";
import { Button, buttonClass } from "@/components/ui/button";
import { FORM_BUTTONS } from "@/components/ui/button-row";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import { writeCents } from "@/lib/contract/format-cents";
import { formMessage } from "@/lib/contract/refused";
import type { RegisterAccountInput } from "@/lib/contract/register-account";
import type { RegisterAccountView } from "@/lib/views/accounts/read-register-page";

const UNKNOWN = outcomeUnknown("it may or may not be registered. Open the account to check.");

interface RegisterAccountProps {
  view: RegisterAccountView;
  backHref: string;
}

/** Asks who holds the account; its numbers go from its institution to the bank. */
export function RegisterAccount({ view, backHref }: RegisterAccountProps) {
  const [holderKind, setHolderKind] = useState(view.holderKind);
  const [account, setAccount] = useState<RegisterAccountInput["account"]>({
    holderName: view.holderName,
    address: null,
  });
  const registering = useAction(registerAccount, {
    whenLost: UNKNOWN,
    proof: () => ({
      act: `REGISTER_ACCOUNT:${view.accountId}`,
      title: `Register ${view.name} at the bank`,
      confirmLabel: "Register account",
    }),
    afterwards: (router, result) => router.push(result.href),
  });
  return (
    <SendForm
      className="grid gap-5 max-w-140 wrap-anywhere"
      isBusy={registering.isBusy}
      onSend={() => registering.run({ accountId: view.accountId, holderKind, account })}
    >
      <h1 className={PAGE_TITLE}>
        Register {view.name} at {view.bankName}
      </h1>
      <p className={LEDE}>{introduction(view)}</p>
      <KindChoice kind={holderKind} onChange={setHolderKind} />
      <InputField
        label="Account holder"
        hint={`As ${view.institutionName ?? "the institution"} knows them.`}
        autoComplete="off"
        maxLength={100}
        value={account.holderName}
        error={registering.problems["account.holderName"] ?? null}
        onChange={(event) => setAccount({ ...account, holderName: event.target.value })}
      />
      {view.needsAddress ? (
        <AddressFields account={account} problems={registering.problems} onChange={setAccount} />
      ) : null}
      <RefusalNote message={formMessage(registering.refusal)} />
      <div className={FORM_BUTTONS}>
        <Link className={buttonClass({ kind: "quiet" })} href={backHref}>
          Cancel
        </Link>
        <Button kind="primary" type="submit" busy={registering.isBusy}>
          {registering.isBusy ? "Registering" : "Register account"}
        </Button>
      </div>
    </SendForm>
  );
}

function introduction({
  institutionName,
  numberEnding,
  bankName,
  canPull,
  coolOff,
}: RegisterAccountView): string {
  const institution = institutionName ?? "the institution";
  const ending = numberEnding === null ? "" : ` The account ends in ${numberEnding}.`;
  const allows = canPull ? "draw money from this account and send money to it" : "send money to this account";
  const waits =
    coolOff.hours === 0
      ? ""
      : ` For ${coolOff.hours} hours, payments to it that together exceed ${writeCents(coolOff.aboveInCents)} wait.`;
  return (
    `${bankName} can then ${allows}.${ending} Its numbers go from ${institution} to ${bankName}; Sluice keeps the ` +
    `last four digits. All owners and co-owners are notified.${waits}`
  );
}
