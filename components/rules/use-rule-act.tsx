"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import type { Refused } from "@/lib/contract/refused";
import type { Confirmation } from "@/lib/contract/views/decision";
import type { RuleActions, RuleActSubject, RuleChangeResult } from "@/lib/contract/views/rule-change";

const UNKNOWN: RuleChangeResult = {
  kind: "REFUSED",
  message: "Sluice did not answer, so we do not know whether it took effect. Load this page again to see.",
};

type Proof = { kind: "DONE" } | Refused;

/** What an attempt came to, as the page tells it. */
export interface ActNotice {
  title: string;
  /** What changed meanwhile, one sentence each. */
  changes: string[];
}

/**
 * One confirmed act on a rule, from the button to the answer. The proof (passkey, password, recovery code, or a sign-in
 * of just now) is bound to this act and sent with it: nothing else can be done with it.
 */
export function useRuleAct(subject: RuleActSubject, actions: RuleActions, confirmLabel: string) {
  const router = useRouter();
  const [notice, setNotice] = useState<ActNotice | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const result = useRef<RuleChangeResult | null>(null);

  async function send(confirmation: Confirmation) {
    const answer = await actions.changeRule({ ...subject, confirmation }).catch(() => UNKNOWN);
    result.current = answer;
    // A wrong password is corrected where it was typed; everything else is read on the page.
    return answer.kind === "NOT_CONFIRMED"
      ? { kind: "REFUSED" as const, message: answer.message }
      : { kind: "DONE" as const };
  }

  const stepUp = useStepUp(
    {
      async beginPresence() {
        const begun = await actions.beginRuleAct(subject);
        if (begun.kind !== "BEGUN" || begun.request.kind !== "NONE") return begun;
        const sent = await send({ kind: "NONE" });
        return sent.kind === "REFUSED" ? sent : begun;
      },
      confirmPresence: send,
    },
    { title: "Confirm that it is you", confirmLabel },
  );

  // Not a transition: the dialog for a typed proof opens while this waits for it, and a transition would hold it back.
  async function run(prove: () => Promise<Proof>, onDone: () => void): Promise<void> {
    setNotice(null);
    setIsBusy(true);
    result.current = null;
    const proof = await prove();
    setIsBusy(false);
    if (proof.kind === "REFUSED") return setNotice({ title: proof.message, changes: [] });
    const answer = result.current ?? UNKNOWN;
    if (answer.kind === "DONE") onDone();
    else setNotice(noticeOf(answer));
    router.refresh();
  }

  return {
    notice,
    isBusy,
    dialog: stepUp.dialog,
    act: (onDone: () => void) => void run(stepUp.prove, onDone),
    actWithRecoveryCode: (onDone: () => void) => void run(stepUp.proveWithRecoveryCode, onDone),
  };
}

export function noticeOf(result: Exclude<RuleChangeResult, { kind: "DONE" }>): ActNotice {
  if (result.kind !== "CHANGED") return { title: result.message, changes: [] };
  return {
    title: "Something changed since this page was loaded. Nothing was done.",
    changes: result.changes,
  };
}
