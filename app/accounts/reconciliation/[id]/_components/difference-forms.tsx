"use client";

import { useState } from "react";
import {
  type acceptDate,
  bookLine,
  matchDifferences,
  type noteBankAsked,
} from "@/app/accounts/reconciliation/actions";
import { ActionForm } from "@/components/act/action-form";
import { useAction } from "@/components/act/use-action";
import { TextareaField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { namesToChoose } from "@/lib/words/names-to-choose";

interface BookLineFormProps {
  differenceId: string;
  isCharge: boolean;
  accounts: readonly { id: string; name: string }[];
}

/** Books what the bank booked on its own. Asks that it is the member, since it moves a balance. */
export function BookLineForm({ differenceId, isCharge, accounts }: BookLineFormProps) {
  const [accountId, setAccountId] = useState("");
  const booking = useAction(bookLine, {
    proof: (booked) => ({
      act: `BOOK_BANK_LINE:${differenceId}:${booked.accountId}`,
      title: "Book this line of the bank",
      confirmLabel: "Book it",
    }),
    refreshesWhenRefused: true,
  });
  const nameOf = namesToChoose(accounts);
  return (
    <ActionForm
      acting={booking}
      onSend={() => booking.run({ differenceId, accountId })}
      button={{ kind: "primary", label: "Book it", busyLabel: "Booking" }}
    >
      <SelectField
        label={isCharge ? "Paid from" : "Received in"}
        value={accountId}
        error={booking.problems.accountId ?? null}
        options={[
          { value: "", label: "Choose an account" },
          ...accounts.map(({ id }) => ({ value: id, label: nameOf(id) })),
        ]}
        onChange={(event) => setAccountId(event.target.value)}
      />
    </ActionForm>
  );
}

interface MatchFormProps {
  differenceId: string;
  candidates: readonly { id: string; label: string }[];
}

export function MatchForm({ differenceId, candidates }: MatchFormProps) {
  const [otherId, setOtherId] = useState("");
  const [note, setNote] = useState("");
  const matching = useAction(matchDifferences, { refreshesWhenRefused: true });
  return (
    <ActionForm
      acting={matching}
      onSend={() => matching.run({ differenceId, otherId, note: note.trim() || null })}
      button={{ kind: "outlined", label: "Match both", busyLabel: "Matching" }}
    >
      <SelectField
        label="Match with"
        value={otherId}
        error={matching.problems.otherId ?? null}
        options={[
          { value: "", label: "Choose a difference" },
          ...candidates.map(({ id, label }) => ({ value: id, label })),
        ]}
        onChange={(event) => setOtherId(event.target.value)}
      />
      <TextareaField
        label="Why they belong together"
        hint="Can be left empty."
        rows={2}
        maxLength={500}
        value={note}
        error={matching.problems.note ?? null}
        onChange={(event) => setNote(event.target.value)}
      />
    </ActionForm>
  );
}

interface NoteFormProps {
  differenceId: string;
  label: string;
  hint: string;
  button: { label: string; busyLabel: string };
  act: typeof noteBankAsked | typeof acceptDate;
}

/** For what needs only a sentence: the bank was asked, or the date is accepted. */
export function NoteForm({ differenceId, label, hint, button, act }: NoteFormProps) {
  const [note, setNote] = useState("");
  const noting = useAction(act, {
    refreshesWhenRefused: true,
    onDone: () => setNote(""),
  });
  return (
    <ActionForm
      acting={noting}
      onSend={() => noting.run({ differenceId, note })}
      button={{ kind: "outlined", label: button.label, busyLabel: button.busyLabel }}
    >
      <TextareaField
        label={label}
        hint={hint}
        rows={2}
        maxLength={500}
        value={note}
        error={noting.problems.note ?? null}
        onChange={(event) => setNote(event.target.value)}
      />
    </ActionForm>
  );
}
