"use client";

import { useState } from "react";
import { ActionForm } from "@/components/actions/action-form";
import { outcomeUnknown } from "@/components/actions/answer-lost";
import { useAction } from "@/components/actions/use-action";
import { AddressFields } from "@/components/payees/account-fields";
import { KindChoice } from "@/components/payees/payee-form";
import { buttonClass } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import { writeCents } from "@/lib/contract/format-cents";
import type { RegisterAccountInput } from "@/lib/contract/register-account";
import type { RegisterAccountAction, RegisterAccountView } from "@/lib/contract/views/register-account-view";

const UNKNOWN = outcomeUnknown("it may or may not be registered. Open the account to check.");

interface RegisterAccountProps {
  view: RegisterAccountView;
  backHref: string;
  register: RegisterAccountAction;
}

/** Asks who holds the account; its numbers go from its institution to the bank. */
export function RegisterAccount({ view, backHref, register }: RegisterAccountProps) {
  const [holderKind, setHolderKind] = useState(view.holderKind);
  const [account, setAccount] = useState<RegisterAccountInput["account"]>({
    holderName: view.holderName,
    address: null,
  });
  const registering = useAction({
    act: register,
    whenLost: UNKNOWN,
    proof: () => ({ confirmLabel: "Register account" }),
    afterwards: (router, result) => router.push(result.href),
  });
  return (
    <div className="grid gap-5 max-w-140 wrap-anywhere">
      <h1 className={PAGE_TITLE}>
        Register {view.name} at {view.bankName}
      </h1>
      <p className={LEDE}>{introduction(view)}</p>
      <ActionForm
        acting={registering}
        onSend={() => registering.run({ accountId: view.accountId, holderKind, account })}
        button={{ kind: "primary", label: "Register account", busyLabel: "Registering" }}
        beside={
          <Link className={buttonClass({ kind: "quiet" })} href={backHref}>
            Cancel
          </Link>
        }
        className=""
      >
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
      </ActionForm>
    </div>
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
