"use client";

import type { ReactNode } from "react";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import type { useAction } from "@/components/act/use-action";
import { Button, type ButtonKind } from "@/components/ui/button";
import { formMessage } from "@/lib/contract/refused";

interface ActionFormProps {
  acting: Pick<ReturnType<typeof useAction>, "isBusy" | "refusal">;
  onSend: () => void;
  button: { kind: ButtonKind; label: string; busyLabel: string };
  /** Beside the button: another way on, or that it was saved. */
  beside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** The form of one action: its fields, what refused it, and its button. One press is one action. */
export function ActionForm({
  acting,
  onSend,
  button,
  beside,
  className = "mt-4",
  children,
}: ActionFormProps) {
  return (
    <SendForm className={`grid gap-5 max-w-105 ${className}`} isBusy={acting.isBusy} onSend={() => onSend()}>
      {children}
      <RefusalNote message={formMessage(acting.refusal)} />
      <div className="flex flex-wrap items-center gap-3">
        <Button kind={button.kind} type="submit" busy={acting.isBusy}>
          {acting.isBusy ? button.busyLabel : button.label}
        </Button>
        {beside}
      </div>
    </SendForm>
  );
}

/** Said beside the button of a setting. */
export function Saved({ isSaved }: { isSaved: boolean }) {
  return (
    <span role="status" className="text-sm text-ink-3">
      {isSaved ? "Saved." : null}
    </span>
  );
}
