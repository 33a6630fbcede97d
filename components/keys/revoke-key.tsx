"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState, useTransition } from "react";
import { endsOf } from "@/components/approvals/proposal-words";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/row-sluice";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import { formatCents } from "@/lib/contract/format-cents";
import type { Refused } from "@/lib/contract/refused";
import type { RevocationEffectView, RevocationView } from "@/lib/contract/views/keys-view";

export interface RevokeActions {
  previewRevocation: (input: {
    keyId: string;
  }) => Promise<{ kind: "PREVIEW"; view: RevocationView } | Refused>;
  revokeKey: (input: { keyId: string }) => Promise<{ kind: "REVOKED" } | Refused>;
}

interface RevokeKeyProps {
  keyId: string;
  name: string;
  actions: RevokeActions;
}

const UNKNOWN = "Sluice did not answer, so it may or may not be revoked. Reload the page to check.";
const UNREACHABLE = "Sluice did not answer. Nothing was revoked. Try again.";

/** Revokes a key, after saying what else that ends. */
export function RevokeKey({ keyId, name, actions }: RevokeKeyProps) {
  const [preview, setPreview] = useState<RevocationView | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isLooking, startLooking] = useTransition();

  const open = () =>
    startLooking(async () => {
      setRefusal(null);
      const result = await actions
        .previewRevocation({ keyId })
        .catch((): Refused => ({ kind: "REFUSED", message: UNREACHABLE }));
      if (result.kind === "REFUSED") setRefusal(result.message);
      else setPreview(result.view);
    });

  return (
    <>
      <Button kind="deny" busy={isLooking} onClick={open}>
        Revoke
      </Button>
      {refusal ? (
        <div role="status">
          <Note tone="red">{refusal}</Note>
        </div>
      ) : null}
      {preview ? (
        <EndCallerDialog
          title={`Revoke ${name}?`}
          lede={`It stops at once and cannot come back. ${effectWords(preview)}`}
          effects={preview}
          words={{ keep: "Keep the key", busy: "Revoking", act: "Revoke", actAlone: "Revoke key" }}
          end={async () => {
            const result = await actions
              .revokeKey({ keyId })
              .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
            return result.kind === "REFUSED" ? result.message : null;
          }}
          onClose={() => setPreview(null)}
        />
      ) : null}
    </>
  );
}

interface EndCallerDialogProps {
  title: string;
  lede: ReactNode;
  effects: Pick<RevocationView, "denied" | "stopped">;
  words: {
    keep: string;
    busy: string;
    /** "Revoke"; with its object where nothing else ends. */
    act: string;
    actAlone: string;
  };
  /** Null: done. */
  end: () => Promise<string | null>;
  onClose: () => void;
}

/** Confirms the end of a key or an assistant. */
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
      <p className="meta">Completed transfers stay, and what the bank already has continues.</p>
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

export function effectWords({ denied, stopped }: RevocationView): string {
  if (denied.count + stopped.count === 0) return "It has nothing waiting or on its way.";
  const of = ({ totalInCents }: RevocationEffectView) => formatCents(totalInCents);
  const sentences = [
    denied.count === 1 ? `Its waiting proposal of ${of(denied)} is denied.` : null,
    denied.count > 1 ? `Its ${denied.count} waiting proposals, ${of(denied)} together, are denied.` : null,
    stopped.count === 1 ? `Its transfer of ${of(stopped)} that has not left is stopped.` : null,
    stopped.count > 1
      ? `Its ${stopped.count} transfers that have not left, ${of(stopped)} together, are stopped.`
      : null,
  ];
  return sentences.filter((sentence) => sentence !== null).join(" ");
}

function Effects({ effects }: { effects: RevocationEffectView[] }) {
  const listed = effects.flatMap((effect) => effect.listed);
  if (listed.length === 0) return null;
  const more = effects.reduce((sum, effect) => sum + effect.count, 0) - listed.length;
  return (
    <ul className="effects">
      {listed.map(({ id, subject }) => (
        <li key={id}>
          <Flow {...endsOf(subject)} state="denied" />
          {subject.amountInCents === null ? (
            <span className="dim">–</span>
          ) : (
            <Amount cents={subject.amountInCents} />
          )}
        </li>
      ))}
      {more > 0 ? <li className="dim">and {more} more</li> : null}
    </ul>
  );
}
