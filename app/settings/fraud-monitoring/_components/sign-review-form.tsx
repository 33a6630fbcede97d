"use client";

import { useState } from "react";
import type { SignReview } from "@/app/settings/fraud-monitoring/_components/sign-review";
import { CHANGE_UNKNOWN } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { TextareaField } from "@/components/ui/field";
import { formMessage } from "@/lib/contract/refused";

interface SignReviewFormProps {
  shownDigest: string;
  signReview: SignReview;
}

/** Signs what the page shows. Asks that it is the owner, since it is kept as their word. */
export function SignReviewForm({ shownDigest, signReview }: SignReviewFormProps) {
  const [note, setNote] = useState("");
  const signing = useAction({
    act: signReview,
    whenLost: CHANGE_UNKNOWN,
    proof: (signed) => ({
      act: `SIGN_FRAUD_REVIEW:${signed.shownDigest}`,
      title: "Sign the review",
      confirmLabel: "Sign the review",
    }),
    refreshesWhenRefused: true,
    onDone: () => setNote(""),
  });
  return (
    <form
      method="post"
      noValidate
      className="grid gap-4 mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!signing.isBusy) signing.run({ shownDigest, note: note.trim() || null });
      }}
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
    </form>
  );
}
