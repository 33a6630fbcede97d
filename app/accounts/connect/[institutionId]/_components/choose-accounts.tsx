"use client";

import { useState } from "react";
import { WhatSluiceGets } from "@/app/accounts/connect/_components/institution-picker";
import { connectInstitution } from "@/app/accounts/connect/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { COLUMNS } from "@/components/layout/columns";
import { PageHead } from "@/components/layout/page-head";
import { CONNECTED_UNKNOWN, chosenWords, TYPE_WORDS } from "@/components/parts/connections/connect-words";
import { Button, buttonClass } from "@/components/ui/button";
import { FORM_BUTTONS } from "@/components/ui/button-row";
import { CHECKBOX } from "@/components/ui/choice-class";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { SUBLINE } from "@/components/ui/text-styles";
import type { Refused } from "@/lib/contract/refused";
import type { OfferedAccountView, OfferView } from "@/lib/views/connections/read-connect-page";

interface ChooseAccountsProps {
  view: Extract<OfferView, { kind: "CHOOSE" }>;
}

const NONE_CHOSEN: Refused = { kind: "REFUSED", message: "Choose at least one account." };

/** At a sandbox institution, choosing accounts stands in for signing in. */
export function ChooseAccounts({ view }: ChooseAccountsProps) {
  const { institutionId, institutionName, accounts, connectedNames } = view;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const connecting = useAction(
    async (templates: string[], shown) =>
      templates.length === 0 ? NONE_CHOSEN : connectInstitution({ institutionId, templates }, shown),
    {
      whenLost: CONNECTED_UNKNOWN,
      afterwards: (router, { connectionId }) => router.push(`/accounts?connected=${connectionId}`),
    },
  );

  const toggle = (template: string, isOn: boolean) =>
    setChosen((before) => [...before.filter((one) => one !== template), ...(isOn ? [template] : [])]);
  return (
    <div className="[&_.section]:mt-8">
      <PageHead
        title={`Which accounts at ${institutionName}?`}
        lede={`${institutionName} is a sandbox institution: no real money and no password. Choose the accounts to connect.`}
      />
      <div className={COLUMNS}>
        <SendForm
          browserChecks
          className="grid content-start gap-6 [&_fieldset]:min-w-0 [&_fieldset]:m-0 [&_fieldset]:p-0 [&_fieldset]:border-0"
          isBusy={connecting.isBusy}
          onSend={() => connecting.run([...chosen])}
        >
          {connectedNames.length > 0 ? (
            <Note>
              Already connected: {connectedNames.join(", ")}. Accounts that you choose here are added as
              separate ones.
            </Note>
          ) : null}
          <fieldset>
            <legend className="sr-only">Accounts at {institutionName}</legend>
            <ul className="border-t border-rule-strong">
              {accounts.map((account) => (
                <li key={account.template}>
                  <AccountChoice
                    account={account}
                    isOn={chosen.includes(account.template)}
                    onToggle={(isOn) => toggle(account.template, isOn)}
                  />
                </li>
              ))}
            </ul>
          </fieldset>
          <RefusalNote message={connecting.message} />
          <div className={FORM_BUTTONS}>
            <Link className={buttonClass({ kind: "quiet" })} href="/accounts/connect">
              Another institution
            </Link>
            <Button kind="primary" type="submit" busy={connecting.isBusy}>
              {connecting.isBusy ? "Connecting" : chosenWords(chosen.length)}
            </Button>
          </div>
        </SendForm>
        <WhatSluiceGets />
      </div>
    </div>
  );
}

interface AccountChoiceProps {
  account: OfferedAccountView;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
}

function AccountChoice({ account, isOn, onToggle }: AccountChoiceProps) {
  return (
    <label className="[&_b]:font-medium grid grid-cols-[18px_minmax(0,1fr)] gap-3.5 py-3.25 px-0 border-b border-rule cursor-pointer">
      <input
        className={`${CHECKBOX} mt-px`}
        type="checkbox"
        checked={isOn}
        onChange={(event) => onToggle(event.target.checked)}
      />
      <span>
        <b>{account.name}</b>
        <span className={SUBLINE}>{TYPE_WORDS[account.externalAccountType]}</span>
      </span>
    </label>
  );
}
