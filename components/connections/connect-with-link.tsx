"use client";

import { Plug } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useCallback, useState } from "react";
import { WhatSluiceGets } from "@/components/connections/institution-picker";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageHead } from "@/components/ui/page-head";
import type { LinkActions } from "@/lib/contract/views/connections-view";

const PlaidDialog = dynamic(
  () => import("@/components/connections/plaid-dialog").then((loaded) => loaded.PlaidDialog),
  { ssr: false },
);

type Stage =
  | { kind: "READY" }
  | { kind: "ASKING" }
  | { kind: "OPEN"; linkToken: string }
  | { kind: "CONNECTING" };

const NO_ANSWER =
  "Sluice did not answer, so it may or may not be connected. Check your accounts before you try again.";

/** Connects accounts through the provider's dialog; Sluice never sees the bank's password. */
export function ConnectWithLink({ providerName, actions }: { providerName: string; actions: LinkActions }) {
  const router = useRouter();
  const [stage, setStage] = useState<Stage>({ kind: "READY" });
  const [refusal, setRefusal] = useState<string | null>(null);

  const end = useCallback((problem: string | null) => {
    setRefusal(problem);
    setStage({ kind: "READY" });
  }, []);

  async function begin() {
    setRefusal(null);
    setStage({ kind: "ASKING" });
    const answer = await actions.beginLink().catch(() => ({
      kind: "REFUSED" as const,
      message: "Sluice did not answer. Nothing was connected. Try again.",
    }));
    if (answer.kind === "REFUSED") end(answer.message);
    else setStage({ kind: "OPEN", linkToken: answer.linkToken });
  }

  async function complete(publicToken: string) {
    setStage({ kind: "CONNECTING" });
    const answer = await actions
      .completeLink({ publicToken })
      .catch(() => ({ kind: "REFUSED" as const, message: NO_ANSWER }));
    if (answer.kind === "REFUSED") end(answer.message);
    else router.push(`/accounts?connected=${answer.connectionId}`);
  }

  return (
    <div className="conn">
      <PageHead
        title="Which bank is it?"
        lede="You sign in at the bank, in its own window. Sluice never sees your password."
      />
      <div className="cols">
        <div className="conn-f">
          <p className="ink2">
            {providerName} finds your bank and asks it for you. You choose there which accounts Sluice may
            read.
          </p>
          <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
          <div className="btns">
            <Button kind="primary" size="large" busy={stage.kind !== "READY"} onClick={() => void begin()}>
              <Plug className="ic" aria-hidden="true" />
              {stage.kind === "CONNECTING" ? "Connecting" : `Find your bank with ${providerName}`}
            </Button>
          </div>
          {stage.kind === "OPEN" ? (
            <PlaidDialog
              linkToken={stage.linkToken}
              onSuccess={(publicToken) => void complete(publicToken)}
              onEnd={end}
            />
          ) : null}
        </div>
        <WhatSluiceGets />
      </div>
    </div>
  );
}
