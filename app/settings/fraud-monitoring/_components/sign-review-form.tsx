"use client";

import { useState } from "react";
import { signReview } from "@/app/settings/fraud-monitoring/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { TextareaField } from "@/components/ui/field";
import { formMessage } from "@/lib/contract/refused";

interface SignReviewFormProps {
  shownDigest: string;
}

/** Signs what the page shows. Asks that it is the owner, since it is kept as their word. */
export function SignReviewForm({ shownDigest }: SignReviewFormProps) {
  const [note, setNote] = useState("");
  const signing = useAction(signReview, {
    proof: (signed) => ({
      act: `SIGN_FRAUD_REVIEW:${signed.shownDigest}`,
      title: "Sign the review",
      confirmLabel: "Sign the review",
    }),
    refreshesWhenRefused: true,
    onDone: () => setNote(""),
  });
  return (
    <SendForm
      className="grid gap-4 mt-4"
      isBusy={signing.isBusy}
      onSend={() => signing.run({ shownDigest, note: note.trim() || null })}
    >
      <TextareaField
        label="Note"
        hint="What you checked and decided. Can be left empty."
        rows={3}
        maxLength={1_000}
        value={note}
        error={signing.problems.note ?? null}
        onChange={(event) => setNote(event.target.value)}
      />
      <RefusalNote message={formMessage(signing.refusal)} />
      <Button kind="primary" type="submit" busy={signing.isBusy}>
        {signing.isBusy ? "Signing" : "Sign the review"}
      </Button>
      <p role="status" className="text-sm text-ink-3 empty:hidden">
        {signing.result ? "Signed, and kept below." : null}
      </p>
    </SendForm>
  );
}
