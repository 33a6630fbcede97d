"use client";

import { useState } from "react";
import { CHANGE_UNKNOWN } from "@/components/actions/answer-lost";
import { RefusalNote } from "@/components/actions/refusal-note";
import { useAction } from "@/components/actions/use-action";
import { Button } from "@/components/ui/button";
import { TextareaField } from "@/components/ui/field";
import { SelectField } from "@/components/ui/select-field";
import { formMessage } from "@/lib/contract/refused";
import type { ReconciliationActions } from "@/lib/contract/views/reconciliation-view";

const FORM = "grid gap-5 max-w-105 mt-4";

interface BookLineFormProps extends Pick<ReconciliationActions, "bookLine"> {
  differenceId: string;
  isCharge: boolean;
  accounts: readonly { id: string; name: string }[];
}

/** Books what the bank booked on its own. Asks that it is the member, since it moves a balance. */
export function BookLineForm({ differenceId, isCharge, accounts, bookLine }: BookLineFormProps) {
  const [accountId, setAccountId] = useState("");
  const booking = useAction({
    act: bookLine,
    whenLost: CHANGE_UNKNOWN,
    proof: () => ({ confirmLabel: "Book it" }),
    refreshesWhenRefused: true,
  });
  return (
    <form
      method="post"
      noValidate
      className={FORM}
      onSubmit={(event) => {
        event.preventDefault();
        if (!booking.isBusy) booking.run({ differenceId, accountId });
      }}
    >
      <SelectField
        label={isCharge ? "Paid from" : "Received in"}
        value={accountId}
        error={booking.problems.accountId ?? null}
        options={[
          { value: "", label: "Choose an account" },
          ...accounts.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(event) => setAccountId(event.target.value)}
      />
      <RefusalNote message={formMessage(booking.refusal)} />
      <div>
        <Button kind="primary" type="submit" busy={booking.isBusy}>
          {booking.isBusy ? "Booking" : "Book it"}
        </Button>
      </div>
    </form>
  );
}

interface MatchFormProps extends Pick<ReconciliationActions, "matchDifferences"> {
  differenceId: string;
  candidates: readonly { id: string; label: string }[];
}

export function MatchForm({ differenceId, candidates, matchDifferences }: MatchFormProps) {
  const [otherId, setOtherId] = useState("");
  const [note, setNote] = useState("");
  const matching = useAction({ act: matchDifferences, whenLost: CHANGE_UNKNOWN, refreshesWhenRefused: true });
  return (
    <form
      method="post"
      noValidate
      className={FORM}
      onSubmit={(event) => {
        event.preventDefault();
        if (!matching.isBusy) matching.run({ differenceId, otherId, note: note.trim() || null });
      }}
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
      <RefusalNote message={formMessage(matching.refusal)} />
      <div>
        <Button kind="outlined" type="submit" busy={matching.isBusy}>
          {matching.isBusy ? "Matching" : "Match both"}
        </Button>
      </div>
    </form>
  );
}

interface NoteFormProps {
  differenceId: string;
  label: string;
  hint: string;
  button: { label: string; busyLabel: string };
  act: ReconciliationActions["noteBankAsked"] | ReconciliationActions["acceptDate"];
}

/** For what needs only a sentence: the bank was asked, or the date is accepted. */
export function NoteForm({ differenceId, label, hint, button, act }: NoteFormProps) {
  const [note, setNote] = useState("");
  const noting = useAction({
    act,
    whenLost: CHANGE_UNKNOWN,
    refreshesWhenRefused: true,
    onDone: () => setNote(""),
  });
  return (
    <form
      method="post"
      noValidate
      className={FORM}
      onSubmit={(event) => {
        event.preventDefault();
        if (!noting.isBusy) noting.run({ differenceId, note });
      }}
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
      <RefusalNote message={formMessage(noting.refusal)} />
      <div>
        <Button kind="outlined" type="submit" busy={noting.isBusy}>
          {noting.isBusy ? button.busyLabel : button.label}
        </Button>
      </div>
    </form>
  );
}
