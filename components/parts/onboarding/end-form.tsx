"use client";

import { endOnboarding } from "@/app/welcome/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { FormSays, useFormAnswer } from "@/components/parts/sign-in/guarded-form";
import { Button } from "@/components/ui/button";

const UNKNOWN = outcomeUnknown("this may or may not be done. Reload the page to check.");

interface EndFormProps {
  label: string;
  isMain: boolean;
}

export function EndForm({ label, isMain }: EndFormProps) {
  const form = useFormAnswer(UNKNOWN);
  return (
    <div className="mt-6">
      <FormSays answer={form.answer} />
      <Button
        kind={isMain ? "primary" : "outlined"}
        busy={form.isBusy}
        onClick={() => form.run((shown) => endOnboarding(undefined, shown))}
      >
        {label}
      </Button>
    </div>
  );
}
