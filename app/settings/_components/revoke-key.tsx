"use client";

import type { ReactNode } from "react";
import { previewRevocation, revokeKey } from "@/app/settings/api-keys/actions";
import { nothingSent, outcomeUnknown } from "@/components/act/answer-lost";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Amount } from "@/components/money/amount";
import { endsOf } from "@/components/parts/approvals/proposal-words";
import { Flow } from "@/components/sluice/row-sluice";
import { Button } from "@/components/ui/button";
import { formatCents } from "@/lib/contract/format-cents";
import type { Refused } from "@/lib/contract/refused";
import type { RevocationEffectView, RevocationView } from "@/lib/views/keys/preview-revocation";

interface RevokeKeyProps {
  keyId: string;
  name: string;
}

const NOTHING_REVOKED = nothingSent("Nothing was revoked. Try again.");
const UNKNOWN = outcomeUnknown("it may or may not be revoked. Reload the page to check.");

/** Revokes a key, after saying what else that ends. */
export function RevokeKey({ keyId, name }: RevokeKeyProps) {
  const looking = useAction(previewRevocation, {
    whenLost: NOTHING_REVOKED,
    isRepeatable: true,
    afterwards: null,
  });

  return (
    <>
      <Button kind="deny" busy={looking.isBusy} onClick={() => looking.run({ keyId })}>
        Revoke
      </Button>
      <RefusalNote message={looking.message} />
      {looking.result ? (
        <EndCallerDialog
          title={`Revoke ${name}?`}
          lede={`It stops at once and cannot come back. ${effectWords(looking.result.view)}`}
          effects={looking.result.view}
          words={{ keep: "Keep the key", busy: "Revoking", act: "Revoke", actAlone: "Revoke key" }}
          end={(shown) => revokeKey({ keyId }, shown)}
          whenLost={UNKNOWN}
          onClose={looking.forget}
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
  /** @param shown by the page */
  end: (shown: string) => Promise<{ kind: string } | Refused>;
  whenLost: Refused;
  onClose: () => void;
}

/** Confirms the end of a key or an assistant. */
export function EndCallerDialog(props: EndCallerDialogProps) {
  const { title, lede, effects, words, end, whenLost, onClose } = props;
  const ending = useAction((_input, shown) => end(shown), { whenLost, onDone: onClose });
  return (
    <ConfirmDialog
      title={title}
      keepLabel={words.keep}
      actLabel={actLabel(words, effects)}
      busyLabel={words.busy}
      kind="deny"
      action={ending}
      onAct={() => ending.run()}
      onClose={onClose}
    >
      <p>{lede}</p>
      <Effects effects={[effects.denied, effects.stopped]} />
      <p className="mt-3.5 text-sm text-ink-3">
        Completed transfers stay, and what the bank already has continues.
      </p>
    </ConfirmDialog>
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
    <ul className="mt-5 py-1.5 border-y border-rule [&_li]:flex [&_li]:justify-between [&_li]:gap-3 [&_li]:py-2">
      {listed.map(({ id, subject }) => (
        <li key={id}>
          <Flow {...endsOf(subject)} state="denied" layout="wrapping" />
          {subject.amountInCents === null ? (
            <span className="text-ink-3">–</span>
          ) : (
            <Amount cents={subject.amountInCents} />
          )}
        </li>
      ))}
      {more > 0 ? <li className="text-ink-3">and {more} more</li> : null}
    </ul>
  );
}
