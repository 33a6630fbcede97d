"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { Confirmation } from "@/lib/contract/views/decision";
import type { RuleActions, RuleActSubject, RuleChangeResult } from "@/lib/contract/views/rule-view";

const UNKNOWN: RuleChangeResult = {
  kind: "REFUSED",
  message: "Sluice did not answer, so we don’t know whether it took effect. Reload this page to see.",
};

type Proof = { kind: "DONE" } | Refused;

/** The outcome of an attempt, as shown on the page. */
export interface ActNotice {
  title: string;
  /** What changed in the meantime, one sentence each. */
  changes: string[];
}

/**
 * One confirmed action on a rule, from the button to the answer. The proof (passkey, password, recovery code or recent
 * sign-in) is bound to this action and valid for nothing else.
 */
function useRuleAct(subject: RuleActSubject, actions: RuleActions, confirmLabel: string) {
  const router = useRouter();
  const [notice, setNotice] = useState<ActNotice | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const result = useRef<RuleChangeResult | null>(null);

  async function send(confirmation: Confirmation) {
    const answer = await actions.changeRule({ ...subject, confirmation }).catch(() => UNKNOWN);
    result.current = answer;
    // A wrong password is shown in the dialog; everything else on the page.
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

  // Not a transition: it would delay the dialog that this waits for.
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
    title: "Something changed since this page was loaded, so nothing was done.",
    changes: result.changes,
  };
}

interface ActDialogProps {
  title: string;
  subject: RuleActSubject;
  actions: RuleActions;
  /** The action: `Activate`. The means of confirmation follows it. */
  verb: string;
  busyLabel: string;
  icon?: ReactNode;
  kind: "primary" | "deny";
  keepLabel: string;
  hasPasskey: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Confirms an action that changes how money moves automatically, explaining its effects. */
export function ActDialog(props: ActDialogProps) {
  const { title, subject, actions, verb, hasPasskey, onClose } = props;
  const confirm = useRef<HTMLButtonElement>(null);
  const act = useRuleAct(subject, actions, verb);
  return (
    <>
      <Dialog title={title} isAlert initialFocus={confirm} onCancel={onClose}>
        {props.children}
        <NoticeBox notice={act.notice} />
        <div className="btns">
          <Button kind="quiet" onClick={onClose}>
            {props.keepLabel}
          </Button>
          <Button kind={props.kind} busy={act.isBusy} ref={confirm} onClick={() => act.act(onClose)}>
            {props.icon}
            {act.isBusy ? props.busyLabel : hasPasskey ? `${verb} with passkey` : verb}
          </Button>
        </div>
        {hasPasskey ? (
          <p className="meta dialog-f">
            <button className="link lb" type="button" onClick={() => act.actWithRecoveryCode(onClose)}>
              Lost your passkey?
            </button>
          </p>
        ) : null}
      </Dialog>
      {act.dialog}
    </>
  );
}

export function NoticeBox({ notice }: { notice: ActNotice | null }) {
  return (
    <div role="status">
      {notice ? (
        <Note tone="red">
          <p>{notice.title}</p>
          {notice.changes.length > 0 ? (
            <ul className="act-c">
              {notice.changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          ) : null}
        </Note>
      ) : null}
    </div>
  );
}
