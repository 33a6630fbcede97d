"use client";

import { type ReactNode, useState } from "react";
import { SecretBox } from "@/components/secrets/secret-box";
import { useLeaveGuard } from "@/components/secrets/use-leave-guard";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

interface SecretDialogProps {
  title: string;
  lede: string;
  text: string;
  noun: "key" | "secret";
  whenLost?: string;
  closeLabel: string;
  onClose: () => void;
  /** What else belongs to it, below the text. */
  children?: ReactNode;
}

const stay = () => undefined;

/** A text that is shown this once: it closes only after it was copied, or somebody said that they have it. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, lede, text, noun, whenLost, closeLabel, onClose, children } = props;
  const [isCopied, setIsCopied] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  useLeaveGuard(!isCopied && !isSaved, stay);
  return (
    <Dialog title={title}>
      <p className="ink2 dialog-l">{lede}</p>
      <SecretBox text={text} noun={noun} whenLost={whenLost} onCopied={() => setIsCopied(true)} />
      {children}
      <p className="meta">
        <label className="check">
          <input
            className="box"
            type="checkbox"
            checked={isSaved}
            onChange={(event) => setIsSaved(event.target.checked)}
          />
          I have saved the {noun}
        </label>
      </p>
      <div className="btns">
        <Button kind="primary" disabled={!isSaved && !isCopied} onClick={onClose}>
          {closeLabel}
        </Button>
      </div>
    </Dialog>
  );
}
