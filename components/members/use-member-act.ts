"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import type { MemberRole } from "@/lib/contract/members";
import type { Refused } from "@/lib/contract/refused";
import type { PresenceActions } from "@/lib/contract/views/keys-view";
import type { MemberResult, RemovalView } from "@/lib/contract/views/members-view";

const UNKNOWN =
  "Sluice did not answer, so the change may or may not have happened. Reload the page to check.";

interface Act<Result extends { kind: string }> {
  /** The role gives or gave power over money, so it needs a step-up. */
  needsProof: boolean;
  run: () => Promise<Result>;
  onDone: (result: Exclude<Result, Refused>) => void;
}

/**
 * One change to a member or an invitation: step-up if needed, the change, a refresh. Render `dialog` outside any other
 * dialog's form.
 */
export function useMemberAct(actions: PresenceActions, confirmLabel: string) {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startActing] = useTransition();
  const stepUp = useStepUp(actions, { title: "Confirm that it is you", confirmLabel });

  const actAfter =
    (prove: () => Promise<{ kind: "DONE" } | Refused>) =>
    <Result extends { kind: string }>({ needsProof, run, onDone }: Act<Result | Refused>) =>
      startActing(async () => {
        setRefusal(null);
        const proof = needsProof ? await prove() : { kind: "DONE" as const };
        if (proof.kind === "REFUSED") return setRefusal(proof.message);
        const result = await run().catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
        if (!isDone(result)) return setRefusal(isRefused(result) ? result.message : UNKNOWN);
        onDone(result);
        router.refresh();
      });

  return {
    refusal,
    isBusy,
    act: actAfter(stepUp.prove),
    actWithRecoveryCode: actAfter(stepUp.proveWithRecoveryCode),
    dialog: stepUp.dialog,
  };
}

function isDone<Result extends { kind: string }>(
  result: Result | Refused,
): result is Exclude<Result, Refused> {
  return result.kind !== "REFUSED";
}

function isRefused(result: { kind: string }): result is Refused {
  return result.kind === "REFUSED" && "message" in result;
}

/** The server actions of the members page. */
export interface MemberActions extends PresenceActions {
  inviteMember: (input: { email: string; role: MemberRole }) => Promise<MemberResult>;
  resendInvitation: (input: { invitationId: string }) => Promise<MemberResult>;
  withdrawInvitation: (input: { invitationId: string }) => Promise<MemberResult>;
  changeMemberRole: (input: { userId: string; role: MemberRole }) => Promise<MemberResult>;
  previewRemoval: (input: { userId: string }) => Promise<{ kind: "PREVIEW"; view: RemovalView } | Refused>;
  removeMember: (input: { userId: string }) => Promise<MemberResult>;
  askSecondFactor: (input: { isAsked: boolean }) => Promise<MemberResult>;
}
