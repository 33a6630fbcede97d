"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { withdrawMySignature } from "@/app/approvals/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { shownByPage } from "@/components/act/shown-by-page";
import { refreshPage } from "@/components/act/survive-translation";
import { Button } from "@/components/ui/button";

const UNKNOWN = outcomeUnknown("your signature may or may not be withdrawn. Reload the page to check.");

/**
 * Takes back the member's own signature while the proposal waits, in the place of the button that signs. No question: it only takes away, and they may sign again.
 * Without `useAction`: the approval page's frame has no provider for it, to stay small for phones.
 */
export function WithdrawSignature({ proposalId, place }: { proposalId: string; place: "panel" | "bar" }) {
  const router = useRouter();
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const withdraw = async () => {
    setIsBusy(true);
    setMessage(null);
    const result = await withdrawMySignature({ proposalId }, shownByPage()).catch(() => UNKNOWN);
    setIsBusy(false);
    if (result.kind === "REFUSED") setMessage(result.message);
    refreshPage(router);
  };
  return (
    <>
      <Button
        kind="outlined"
        size={place === "panel" ? "large" : undefined}
        wide={place === "panel"}
        busy={isBusy}
        onClick={() => void withdraw()}
      >
        Withdraw your signature
      </Button>
      <div className={message === null ? "sr-only" : "col-span-full"}>
        <RefusalNote message={message} />
      </div>
    </>
  );
}
