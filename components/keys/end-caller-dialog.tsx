"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState, useTransition } from "react";
import { Effects } from "@/components/keys/revocation-effects";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { RevocationView } from "@/lib/contract/views/keys-view";

interface EndCallerDialogProps {
  title: string;
  lede: ReactNode;
  /** What ends with it. */
  effects: Pick<RevocationView, "denied" | "stopped">;
  words: {
    keep: string;
    busy: string;
    /** The act alone, as in "Revoke", and with its object where nothing else ends. */
    act: string;
    actAlone: string;
  };
  /** Why it was refused; null when it was done. */
  end: () => Promise<string | null>;
  onClose: () => void;
}

/** The last question before a key or an assistant ends for good. */
export function EndCallerDialog({ title, lede, effects, words, end, onClose }: EndCallerDialogProps) {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startEnding] = useTransition();
  const submit = () =>
    startEnding(async () => {
      const refused = await end();
      if (refused !== null) return setRefusal(refused);
      onClose();
      router.refresh();
    });
  return (
    <Dialog title={title} onCancel={onClose}>
      <p className="ink2 dialog-l">{lede}</p>
      <Effects effects={[effects.denied, effects.stopped]} />
      <p className="meta">What has already moved stays as it is, and what the bank has goes on.</p>
      <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
      <div className="btns">
        <Button kind="quiet" onClick={onClose}>
          {words.keep}
        </Button>
        <Button kind="deny" busy={isBusy} onClick={submit}>
          {isBusy ? words.busy : actLabel(words, effects)}
        </Button>
      </div>
    </Dialog>
  );
}

function actLabel(
  { act, actAlone }: EndCallerDialogProps["words"],
  { denied, stopped }: EndCallerDialogProps["effects"],
): string {
  const parts = [
    denied.count > 0 ? `deny ${denied.count}` : null,
    stopped.count > 0 ? `stop ${stopped.count}` : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return actAlone;
  return parts.length === 1 ? `${act} and ${parts[0]}` : `${act}, ${parts.join(" and ")}`;
}
