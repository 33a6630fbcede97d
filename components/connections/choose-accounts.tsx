"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { chosenWords, TYPE_WORDS } from "@/components/connections/connect-words";
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

const UNKNOWN: ConnectResult = {
  kind: "REFUSED",
  message:
    "Sluice did not answer, so it may or may not be connected. Check your accounts before you try again.",
};

/** At a sandbox institution, choosing accounts stands in for signing in. */
export function ChooseAccounts({ view, connect }: ChooseAccountsProps) {
  const { institutionId, institutionName, accounts, connectedNames } = view;
  const router = useRouter();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isConnected, setIsConnected] = useState(false);
  const [isConnecting, startConnecting] = useTransition();
  // Stays busy until the next page: a second press would connect twice.
  const isBusy = isConnecting || isConnected;

  const toggle = (template: string, isOn: boolean) =>
    setChosen((before) => [...before.filter((one) => one !== template), ...(isOn ? [template] : [])]);
  const submit = () =>
    startConnecting(async () => {
      setRefusal(null);
      if (chosen.length === 0) return setRefusal("Choose at least one account.");
      const result = await connect({ institutionId, templates: [...chosen] }).catch(() => UNKNOWN);
      if (result.kind === "REFUSED") return setRefusal(result.message);
      setIsConnected(true);
      router.push(`/accounts?connected=${result.connectionId}`);
    });

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
            if (!isBusy) submit();
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
          <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
          <div className="btns">
            <Link className={buttonClass({ kind: "quiet" })} href="/accounts/connect">
              Another institution
            </Link>
            <Button kind="primary" type="submit" busy={isBusy}>
              {isBusy ? "Connecting" : chosenWords(chosen.length)}
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
