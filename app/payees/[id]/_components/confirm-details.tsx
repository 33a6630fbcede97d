"use client";

import { useState } from "react";
import { confirmPayee, declinePayee, removePayee, sendPayeeLink } from "@/app/payees/actions";
import { ActionForm } from "@/components/act/action-form";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { PageFoot } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { InputField, TextareaField } from "@/components/ui/field";
import { formMessage } from "@/lib/contract/refused";
import type { SigningView } from "@/lib/views/approvals/describe-signing";
import type { PayeeView } from "@/lib/views/payees/read-payees";

interface ConfirmDetailsProps {
  payeeId: string;
  detailsId: string;
  payeeName: string;
  /** Of several people: whether this member's confirmation is the last one; null: one person confirms. */
  signing: SigningView | null;
}

/** Asks who was called back, and then that it is the member: an email alone must never change where money goes. */
export function ConfirmDetails({ payeeId, detailsId, payeeName, signing }: ConfirmDetailsProps) {
  const mayConfirm = signing === null || signing.viewer.mayNot === null;
  const verb = signing === null || signing.viewer.completes ? "Confirm payee" : "Sign";
  const [note, setNote] = useState("");
  const confirming = useAction(confirmPayee, {
    proof: () => ({
      act: `CONFIRM_PAYEE:${detailsId}`,
      title: `Confirm the account of ${payeeName}`,
      confirmLabel: verb,
    }),
    refreshesWhenRefused: true,
  });
  const declining = useAction(declinePayee, {
    refreshesWhenRefused: true,
  });
  return (
    <SendForm
      className="grid gap-5 max-w-140 mt-5"
      isBusy={confirming.isBusy}
      onSend={() => confirming.run({ payeeId, detailsId, callBackNote: note.trim() || null })}
    >
      {mayConfirm ? (
        <TextareaField
          label="Who was called back?"
          hint="Call a number that you know already, not one from an email, and compare the last four digits. Leave it empty if nobody was called."
          rows={2}
          maxLength={500}
          value={note}
          error={confirming.problems.callBackNote ?? null}
          onChange={(event) => setNote(event.target.value)}
        />
      ) : null}
      <RefusalNote message={formMessage(confirming.refusal) ?? declining.message} />
      <PageFoot className="mt-0">
        {mayConfirm ? (
          <Button kind="primary" type="submit" busy={confirming.isBusy}>
            {confirming.isBusy ? "Confirming" : verb}
          </Button>
        ) : null}
        <Button kind="deny" busy={declining.isBusy} onClick={() => declining.run({ payeeId, detailsId })}>
          Decline
        </Button>
      </PageFoot>
    </SendForm>
  );
}

interface SendLinkProps extends Pick<PayeeView, "email" | "proposedEmail"> {
  payeeId: string;
}

/** The payee enters their own account; what they enter waits for a member. */
export function SendLink({ payeeId, email, proposedEmail }: SendLinkProps) {
  const [address, setAddress] = useState(email ?? "");
  const sending = useAction(sendPayeeLink);
  return (
    <ActionForm
      acting={sending}
      onSend={() => sending.run({ payeeId, email: address })}
      button={{ kind: "outlined", label: "Send link", busyLabel: "Sending" }}
      className=""
    >
      <InputField
        label="Their email address"
        hint={
          proposedEmail
            ? `${proposedEmail.byName} proposed ${proposedEmail.email}. It may belong to someone else: enter an address that you know, or check it letter by letter.`
            : null
        }
        type="email"
        autoComplete="off"
        maxLength={254}
        value={address}
        error={sending.problems.email ?? null}
        onChange={(event) => setAddress(event.target.value)}
      />
    </ActionForm>
  );
}

/** Removing asks once more, since rules and keys that name the payee then fail. */
export function RemovePayee({ payeeId }: { payeeId: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const removing = useAction(removePayee);
  return (
    <>
      <p className="max-w-[66ch] mt-3.5 mb-4 text-ink-2">
        It can no longer be paid. Transfers to it that have not left yet end; rules and keys that name it are
        refused. Its history stays.
      </p>
      <RefusalNote message={removing.message} />
      <PageFoot className="mt-0">
        {isAsking ? (
          <>
            <Button kind="deny" busy={removing.isBusy} onClick={() => removing.run({ payeeId })}>
              Remove for good
            </Button>
            <Button kind="quiet" onClick={() => setIsAsking(false)}>
              Keep
            </Button>
          </>
        ) : (
          <Button kind="outlined" onClick={() => setIsAsking(true)}>
            Remove payee
          </Button>
        )}
      </PageFoot>
    </>
  );
}
