"use client";

import { type ReactNode, useRef } from "react";
import { type ActNotice, useRuleAct } from "@/components/rules/use-rule-act";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { RuleActions, RuleActSubject } from "@/lib/contract/views/rule-change";

interface ActDialogProps {
  title: string;
  subject: RuleActSubject;
  actions: RuleActions;
  /** The act: `Activate`. What confirms it is said behind. */
  verb: string;
  busyLabel: string;
  icon?: ReactNode;
  kind: "primary" | "deny";
  keepLabel: string;
  hasPasskey: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Asks once more, with what follows, before something that changes what happens to money by itself. */
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

/** Why nothing was done. */
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
