"use client";

import { RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FirstRequest } from "@/app/settings/api-keys/_components/first-request";
import { replaceKey } from "@/app/settings/api-keys/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { SecretDialog } from "@/components/act/secret-box";
import { useAction } from "@/components/act/use-action";
import { waitsWords } from "@/components/parts/approvals/waiting-change-notes";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { CHOICE_LABEL, RADIO } from "@/components/ui/choice-class";
import { Dialog } from "@/components/ui/dialog";
import type { Grace } from "@/lib/contract/api-key";
import type { MadeKey } from "@/lib/contract/policies/asked-change";
import type { WaitingChangeView } from "@/lib/views/policies/list-waiting-changes-of";

interface ReplaceKeyProps {
  keyId: string;
  name: string;
  waitingCount: number;
  /** A new secret that waits for signatures: another one ends it. */
  waiting: readonly WaitingChangeView[];
  /** In force: they are of the old key alone. */
  mandateCount: number;
}

const GRACES: { grace: Grace; label: string }[] = [
  { grace: "ONE_DAY", label: "24 more hours" },
  { grace: "ONE_HOUR", label: "1 more hour" },
  { grace: "NONE", label: "Not at all; it ends now" },
];
const UNKNOWN = outcomeUnknown("it may or may not be replaced. Reload the page to check.");

/** A new key with the same name and permissions; the old one may work a while longer. */
export function ReplaceKey(props: ReplaceKeyProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<MadeKey | null>(null);
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        <RefreshCw />
        Replace
      </Button>
      {isOpen && !made ? (
        <ReplaceDialog {...props} onClose={() => setIsOpen(false)} onMade={setMade} />
      ) : null}
      {made?.kind === "ASKED" ? (
        <SecretDialog
          title={`The new secret of ${props.name} waits for signatures`}
          lede="Copy it now; it cannot be shown again. It opens nothing until others have signed for it, and the present one keeps working."
          text={made.text}
          noun="key"
          whenLost="Withdraw the request and ask again."
          closeLabel="See who must sign"
          onClose={() => router.push(made.href)}
        />
      ) : null}
      {made?.kind === "CREATED" ? (
        <SecretDialog
          title={`${props.name} has a new secret`}
          lede="Copy it now. Sluice stores only a hash, so it cannot be shown again."
          text={made.text}
          noun="key"
          closeLabel="Go to the new key"
          onClose={() => router.push(`/settings/api-keys/${made.id}`)}
        >
          <FirstRequest keyId={made.id} />
        </SecretDialog>
      ) : null}
    </>
  );
}

interface ReplaceDialogProps extends ReplaceKeyProps {
  onClose: () => void;
  onMade: (made: MadeKey) => void;
}

function ReplaceDialog({
  keyId,
  name,
  waitingCount,
  waiting,
  mandateCount,
  onClose,
  onMade,
}: ReplaceDialogProps) {
  const [grace, setGrace] = useState<Grace>("ONE_DAY");
  const replacing = useAction(replaceKey, {
    whenLost: UNKNOWN,
    proof: () => ({
      act: `REPLACE_KEY:${keyId}`,
      title: `Replace the key ${name}`,
      confirmLabel: "Replace key",
    }),
    onDone: onMade,
    afterwards: null,
  });
  return (
    <Dialog title={`Replace ${name}?`} onCancel={onClose}>
      <p className="mt-2 text-ink-2">
        Creates a new secret with the same name and permissions. The old one works for
      </p>
      <fieldset className="grid gap-1 mt-4 p-0 border-0">
        <legend className="sr-only">How long the old one works</legend>
        {GRACES.map((choice) => (
          <label className={CHOICE_LABEL} key={choice.grace}>
            <input
              className={RADIO}
              type="radio"
              name="grace"
              checked={grace === choice.grace}
              onChange={() => setGrace(choice.grace)}
            />
            {choice.label}
          </label>
        ))}
      </fieldset>
      <p className="mt-3.5 text-sm text-ink-3">{waitingWords(waitingCount, grace)}</p>
      {mandateCount > 0 ? (
        <p className="mt-3.5 text-sm text-ink-3">{mandateWords(mandateCount, grace)}</p>
      ) : null}
      {waiting.map((change) => (
        <p className="mt-3.5 text-sm text-ink-3" key={change.id}>
          {change.subject} already {waitsWords(change)} Another one ends that request, and its secret will
          never work.
        </p>
      ))}
      <RefusalNote message={replacing.message} />
      <div className={DIALOG_BUTTONS}>
        <Button kind="quiet" onClick={onClose}>
          Keep the key
        </Button>
        <Button kind="primary" busy={replacing.isBusy} onClick={() => replacing.run({ keyId, grace })}>
          {replacing.isBusy ? "Replacing" : "Replace key"}
        </Button>
      </div>
    </Dialog>
  );
}

function mandateWords(count: number, grace: Grace): string {
  const [its, it, them] =
    count === 1 ? ["Its mandate", "ends", "it"] : [`Its ${count} mandates`, "end", "them"];
  const when = grace === "NONE" ? "now" : "with the old secret";
  return `${its} ${it} ${when}. With the new one each transfer waits for approval until people sign ${them} again, from its page.`;
}

function waitingWords(count: number, grace: Grace): string {
  if (grace === "NONE") {
    if (count === 0)
      return "It has no waiting proposals. Transfers that have not left for the bank are stopped.";
    return count === 1
      ? "Its waiting proposal is denied, and transfers that have not left for the bank are stopped."
      : `Its ${count} waiting proposals are denied, and transfers that have not left for the bank are stopped.`;
  }
  const waiting =
    count === 0
      ? "Its later proposals"
      : count === 1
        ? "Its 1 waiting proposal"
        : `Its ${count} waiting proposals`;
  return `${waiting} can be decided until then. Any that still wait are denied.`;
}
