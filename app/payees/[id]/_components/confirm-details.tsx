"use client";

import { useState } from "react";
import { ActionForm } from "@/components/act/action-form";
import { CHANGE_UNKNOWN } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { PageFoot } from "@/components/layout/page-head";
import type { PayeeActions } from "@/components/parts/payees/payee-actions";
import { Button } from "@/components/ui/button";
import { InputField, TextareaField } from "@/components/ui/field";
import { formMessage } from "@/lib/contract/refused";

interface ConfirmDetailsProps {
  payeeId: string;
  detailsId: string;
  payeeName: string;
  actions: Pick<PayeeActions, "confirmPayee" | "declinePayee">;
}

/** Asks who was called back, and then that it is the member: an email alone must never change where money goes. */
export function ConfirmDetails({ payeeId, detailsId, payeeName, actions }: ConfirmDetailsProps) {
  const [note, setNote] = useState("");
  const confirming = useAction({
    act: actions.confirmPayee,
    whenLost: CHANGE_UNKNOWN,
    proof: () => ({
      act: `CONFIRM_PAYEE:${detailsId}`,
      title: `Confirm the account of ${payeeName}`,
      confirmLabel: "Confirm payee",
    }),
    refreshesWhenRefused: true,
  });
  const declining = useAction({
    act: actions.declinePayee,
    whenLost: CHANGE_UNKNOWN,
    refreshesWhenRefused: true,
  });
  return (
    <form
      method="post"
      noValidate
      className="grid gap-5 max-w-140 mt-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!confirming.isBusy) confirming.run({ payeeId, detailsId, callBackNote: note.trim() || null });
      }}
    >
      <TextareaField
        label="Who was called back?"
        hint="Call a number that you know already, not one from an email, and compare the last four digits. Leave it empty if nobody was called."
        rows={2}
        maxLength={500}
        value={note}
        error={confirming.problems.callBackNote ?? null}
        onChange={(event) => setNote(event.target.value)}
      />
      <RefusalNote message={formMessage(confirming.refusal) ?? declining.message} />
      <PageFoot className="mt-0">
        <Button kind="primary" type="submit" busy={confirming.isBusy}>
          {confirming.isBusy ? "Confirming" : "Confirm payee"}
        </Button>
        <Button kind="deny" busy={declining.isBusy} onClick={() => declining.run({ payeeId, detailsId })}>
          Decline
        </Button>
      </PageFoot>
    </form>
  );
}

interface SendLinkProps extends Pick<PayeeActions, "sendPayeeLink"> {
  payeeId: string;
  email: string | null;
}

/** The payee enters their own account; what they enter waits for a member. */
export function SendLink({ payeeId, email, sendPayeeLink }: SendLinkProps) {
  const [address, setAddress] = useState(email ?? "");
  const sending = useAction({ act: sendPayeeLink, whenLost: CHANGE_UNKNOWN });
  return (
    <ActionForm
      acting={sending}
      onSend={() => sending.run({ payeeId, email: address })}
      button={{ kind: "outlined", label: "Send link", busyLabel: "Sending" }}
      className=""
    >
      <InputField
        label="Their email address"
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
export function RemovePayee({
  payeeId,
  removePayee,
}: { payeeId: string } & Pick<PayeeActions, "removePayee">) {
  const [isAsking, setIsAsking] = useState(false);
  const removing = useAction({ act: removePayee, whenLost: CHANGE_UNKNOWN });
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
