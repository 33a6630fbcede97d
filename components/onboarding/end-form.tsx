"use client";

import { FormSays, useFormAnswer } from "@/components/auth/guarded-form";
import { Button } from "@/components/ui/button";
import type { Refused } from "@/lib/contract/refused";

interface EndFormProps {
  label: string;
  isMain: boolean;
  end: () => Promise<Refused>;
}

export function EndForm({ label, isMain, end }: EndFormProps) {
  const form = useFormAnswer("Sluice did not answer. Reload the page to check.");
  return (
    <div className="onb-e">
      <FormSays answer={form.answer} />
      <Button kind={isMain ? "primary" : "outlined"} busy={form.isBusy} onClick={() => form.run(() => end())}>
        {label}
      </Button>
    </div>
  );
}
