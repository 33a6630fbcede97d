"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";

interface CopyButtonProps {
  text: string;
  label?: string;
  /** Null: the size of the buttons beside it. */
  size?: "small" | null;
}

export function CopyButton({ text, label = LABELS.READY, size = "small" }: CopyButtonProps) {
  const [state, setState] = useState<"READY" | "COPIED" | "REFUSED">("READY");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("COPIED");
    } catch {
      // Browsers refuse outside https, or by the user's setting.
      setState("REFUSED");
    }
  };
  return (
    <Button
      kind="quiet"
      size={size ?? undefined}
      onClick={() => void copy()}
      onBlur={() => setState("READY")}
    >
      {state === "COPIED" ? <Check /> : <Copy />}
      <span role="status">{state === "READY" ? label : LABELS[state]}</span>
    </Button>
  );
}

const LABELS = { READY: "Copy", COPIED: "Copied", REFUSED: "Select to copy" };
