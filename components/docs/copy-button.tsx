"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";

/** Copies a text, and says whether it worked. */
export function CopyButton({ text }: { text: string }) {
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
    <Button kind="quiet" size="small" onClick={() => void copy()} onBlur={() => setState("READY")}>
      {state === "COPIED" ? <Check className="ic" /> : <Copy className="ic" />}
      <span role="status">{LABELS[state]}</span>
    </Button>
  );
}

const LABELS = { READY: "Copy", COPIED: "Copied", REFUSED: "Select it to copy" };
