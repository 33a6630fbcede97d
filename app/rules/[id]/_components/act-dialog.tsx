"use client";

import { type ReactNode, useRef } from "react";
import { beginRuleAct, changeRule } from "@/app/rules/[id]/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { useMeans, withMeans } from "@/components/act/confirming-means";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { LiveButton } from "@/components/ui/live-button";
import { Note } from "@/components/ui/note";
import { LINK_BUTTON } from "@/components/ui/text-styles";
import type { RuleActSubject } from "@/lib/contract/confirmation/decision";
import type { Refused } from "@/lib/contract/refused";
import type { RuleView } from "@/lib/views/rules/read-rule-page";

export const RULE_UNKNOWN = outcomeUnknown("we don’t know whether it took effect. Reload this page to see.");

interface ActDialogProps {
  title: string;
  subject: RuleActSubject;
  /** The action: `Activate`. The means of confirmation follows it. */
  verb: string;
  busyLabel: string;
  icon?: ReactNode;
  kind: "primary" | "deny";
  keepLabel: string;
  confirms: Pick<RuleView, "hasPasskey" | "freshUntil" | "time">;
  onClose: () => void;
  children: ReactNode;
}

/** Confirms an action that changes how money moves automatically, explaining its effects. */
export function ActDialog(props: ActDialogProps) {
  const { title, subject, verb, confirms, onClose } = props;
  const { hasPasskey } = confirms;
  const means = useMeans(confirms, confirms.time.nowAt);
  const confirm = useRef<HTMLButtonElement>(null);
  // The proof (passkey, password, recovery code or a recent sign-in) is bound to this action.
  const acting = useConfirmedAction({
    begin: (_subject, shown) => beginRuleAct(subject, shown),
    act: (_subject, confirmation, shown) => changeRule({ ...subject, confirmation }, shown),
    whenLost: RULE_UNKNOWN,
    stepUp: { title: title.replace(/\?$/, ""), confirmLabel: verb },
    onDone: ({ kind }) => {
      if (kind === "DONE" || kind === "SIGNED") onClose();
    },
    refreshesWhenRefused: true,
  });
  return (
    <Dialog title={title} isAlert initialFocus={confirm} onCancel={onClose}>
      {props.children}
      <RuleNotice refusal={acting.refusal} result={acting.result} />
      <div className={DIALOG_BUTTONS}>
        <Button kind="quiet" onClick={onClose}>
          {props.keepLabel}
        </Button>
        <Button kind={props.kind} busy={acting.isBusy} ref={confirm} onClick={() => acting.run()}>
          {props.icon}
          {acting.isBusy ? props.busyLabel : withMeans(verb, means)}
        </Button>
      </div>
      {hasPasskey ? (
        <p className="mt-3.5 text-right text-sm text-ink-3">
          <LiveButton className={LINK_BUTTON} onClick={() => acting.runWithRecoveryCode()}>
            Lost your passkey?
          </LiveButton>
        </p>
      ) : null}
    </Dialog>
  );
}

interface RuleNoticeProps {
  refusal: Refused | null;
  result: { kind: string; changes?: string[]; message?: string } | null;
}

/** Why nothing was done, or what changed in the meantime. */
export function RuleNotice({ refusal, result }: RuleNoticeProps) {
  const title = result?.kind === "CHANGED" ? CHANGED : (refusal?.message ?? result?.message ?? null);
  const changes = result?.changes ?? [];
  return (
    <div role="status">
      {title === null ? null : (
        <Note tone="red">
          <p>{title}</p>
          {changes.length > 0 ? (
            <ul className="mx-0 mt-1.5 mb-0 pl-4.5 list-disc">
              {changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          ) : null}
        </Note>
      )}
    </div>
  );
}

const CHANGED = "Something changed since this page was loaded, so nothing was done.";
