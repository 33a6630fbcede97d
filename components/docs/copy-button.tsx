"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";

interface CopyButtonProps {
  text: string;
  /** What it says before it is pressed. */
  label?: string;
  /** Null: as large as the buttons beside it. */
  size?: "small" | null;
}

/** Copies a text, and says whether it worked. */
export function CopyButton({ text, label = LABELS.READY, size = "small" }: CopyButtonProps) {
  const [state, setState] = useState<"READY" | "COPIED" | "REFUSED">("READY");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("COPIED");
    } catch {
      // Browsers refuse outside https, and when told to.
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
      {state === "COPIED" ? <Check className="ic" /> : <Copy className="ic" />}
      <span role="status">{state === "READY" ? label : LABELS[state]}</span>
    </Button>
  );
}

const LABELS = { READY: "Copy", COPIED: "Copied", REFUSED: "Select it to copy" };
