"use client";

import { useState } from "react";
import { RefusalNote } from "@/components/actions/refusal-note";
import { useAction } from "@/components/actions/use-action";
import { CONNECTED_UNKNOWN, chosenWords, TYPE_WORDS } from "@/components/connections/connect-words";
import { WhatSluiceGets } from "@/components/connections/institution-picker";
import { Button, buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { PageHead } from "@/components/ui/page-head";
import type {
  ConnectInput,
  ConnectResult,
  OfferedAccountView,
  OfferView,
} from "@/lib/contract/views/connections-view";

interface ChooseAccountsProps {
  view: Extract<OfferView, { kind: "CHOOSE" }>;
  connect: (input: ConnectInput) => Promise<ConnectResult>;
}

const NONE_CHOSEN: ConnectResult = { kind: "REFUSED", message: "Choose at least one account." };

/** At a sandbox institution, choosing accounts stands in for signing in. */
export function ChooseAccounts({ view, connect }: ChooseAccountsProps) {
  const { institutionId, institutionName, accounts, connectedNames } = view;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const connecting = useAction({
    act: async (templates: string[]) =>
      templates.length === 0 ? NONE_CHOSEN : connect({ institutionId, templates }),
    whenLost: CONNECTED_UNKNOWN,
    afterwards: (router, { connectionId }) => router.push(`/accounts?connected=${connectionId}`),
  });

  const toggle = (template: string, isOn: boolean) =>
    setChosen((before) => [...before.filter((one) => one !== template), ...(isOn ? [template] : [])]);
  return (
    <div className="conn">
      <PageHead
        title={`Which accounts at ${institutionName}?`}
        lede={`${institutionName} is a sandbox institution: no real money and no password. Choose the accounts to connect.`}
      />
      <div className="cols">
        <form
          method="post"
          className="conn-f"
          onSubmit={(event) => {
            event.preventDefault();
            if (!connecting.isBusy) connecting.run([...chosen]);
          }}
        >
          {connectedNames.length > 0 ? (
            <Note>
              Already connected: {connectedNames.join(", ")}. Accounts that you choose here are added as
              separate ones.
            </Note>
          ) : null}
          <fieldset>
            <legend className="vh">Accounts at {institutionName}</legend>
            <ul className="conn-a">
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
          <div className="btns">
            <Link className={buttonClass({ kind: "quiet" })} href="/accounts/connect">
              Another institution
            </Link>
            <Button kind="primary" type="submit" busy={connecting.isBusy}>
              {connecting.isBusy ? "Connecting" : chosenWords(chosen.length)}
            </Button>
          </div>
        </form>
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
    <label className="conn-c">
      <input
        className="box"
        type="checkbox"
        checked={isOn}
        onChange={(event) => onToggle(event.target.checked)}
      />
      <span>
        <b>{account.name}</b>
        <span className="meta blk">{TYPE_WORDS[account.externalAccountType]}</span>
      </span>
    </label>
  );
}
