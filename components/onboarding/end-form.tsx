"use client";

import { FormSays, useFormAnswer } from "@/components/auth/guarded-form";
import { Button } from "@/components/ui/button";
import type { Refused } from "@/lib/contract/refused";

interface EndFormProps {
  label: string;
  isMain: boolean;
  end: () => Promise<Refused>;
}

/** Ends the first steps; what was left out can be done at any time. */
export function EndForm({ label, isMain, end }: EndFormProps) {
  const form = useFormAnswer(
    "Sluice did not answer. Load this page again to see whether the steps are ended.",
  );
  return (
    <div className="onb-e">
      <FormSays answer={form.answer} />
      <Button kind={isMain ? "primary" : "outlined"} busy={form.isBusy} onClick={() => form.run(() => end())}>
        {label}
      </Button>
    </div>
  );
}
