"use client";

import { outcomeUnknown } from "@/components/act/answer-lost";
import { FormSays, useFormAnswer } from "@/components/parts/sign-in/guarded-form";
import { Button } from "@/components/ui/button";
import type { Refused } from "@/lib/contract/refused";

const UNKNOWN = outcomeUnknown("this may or may not be done. Reload the page to check.");

interface EndFormProps {
  label: string;
  isMain: boolean;
  end: () => Promise<Refused>;
}

export function EndForm({ label, isMain, end }: EndFormProps) {
  const form = useFormAnswer(UNKNOWN);
  return (
    <div className="mt-6">
      <FormSays answer={form.answer} />
      <Button kind={isMain ? "primary" : "outlined"} busy={form.isBusy} onClick={() => form.run(() => end())}>
        {label}
      </Button>
    </div>
  );
}
