"use client";

import { Plug } from "lucide-react";
import dynamic from "next/dynamic";
import { useCallback, useState } from "react";
import { WhatSluiceGets } from "@/app/accounts/connect/_components/institution-picker";
import { beginLink, completeLink } from "@/app/accounts/connect/actions";
import { nothingSent } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { COLUMNS } from "@/components/layout/columns";
import { PageHead } from "@/components/layout/page-head";
import { CONNECTED_UNKNOWN } from "@/components/parts/connections/connect-words";
import { Button } from "@/components/ui/button";
import { FORM_BUTTONS } from "@/components/ui/button-row";

const PlaidDialog = dynamic(
  () => import("@/components/parts/connections/plaid-dialog").then((loaded) => loaded.PlaidDialog),
  { ssr: false },
);

/** Connects accounts through the provider's dialog; Sluice never sees the bank's password. */
export function ConnectWithLink({ providerName }: { providerName: string }) {
  const [linkToken, setLinkToken] = useState<string | null>(null);
  // Why the dialog ended without a token of the bank.
  const [problem, setProblem] = useState<string | null>(null);
  const beginning = useAction(beginLink, {
    whenLost: nothingSent("Nothing was connected. Try again."),
    onDone: (begun) => setLinkToken(begun.linkToken),
    afterwards: null,
  });
  const completing = useAction(completeLink, {
    whenLost: CONNECTED_UNKNOWN,
    afterwards: (router, { connectionId }) => router.push(`/accounts?connected=${connectionId}`),
  });
  const isBusy = beginning.isBusy || linkToken !== null || completing.isBusy;

  const begin = () => {
    setProblem(null);
    completing.forget();
    beginning.run();
  };
  const end = useCallback((because: string | null) => {
    setProblem(because);
    setLinkToken(null);
  }, []);
  const complete = (publicToken: string) => {
    setLinkToken(null);
    completing.run({ publicToken });
  };

  return (
    <div className="[&_.section]:mt-8">
      <PageHead
        title="Which bank is it?"
        lede="You sign in at the bank, in its own window. Sluice never sees your password."
      />
      <div className={COLUMNS}>
        <div className="grid content-start gap-6 [&_fieldset]:min-w-0 [&_fieldset]:m-0 [&_fieldset]:p-0 [&_fieldset]:border-0">
          <p className="text-ink-2">
            {providerName} finds your bank and asks it for you. You choose there which accounts Sluice may
            read.
          </p>
          <RefusalNote message={problem ?? beginning.message ?? completing.message} />
          <div className={FORM_BUTTONS}>
            <Button kind="primary" size="large" busy={isBusy} onClick={begin}>
              <Plug aria-hidden="true" />
              {completing.isBusy ? "Connecting" : `Find your bank with ${providerName}`}
            </Button>
          </div>
          {linkToken === null ? null : <PlaidDialog linkToken={linkToken} onSuccess={complete} onEnd={end} />}
        </div>
        <WhatSluiceGets />
      </div>
    </div>
  );
}
