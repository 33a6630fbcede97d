"use client";

import { Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";

/** The text of a key, shown this once, with a way to take it along. */
export function SecretBox({ text, onCopied }: { text: string; onCopied: () => void }) {
  const [state, setState] = useState<"IDLE" | "COPIED" | "FAILED">("IDLE");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("COPIED");
      onCopied();
    } catch {
      setState("FAILED");
    }
  };
  return (
    <>
      <div className="secret">
        <code>{text}</code>
        <Button kind="primary" onClick={copy}>
          <Copy className="ic" />
          {state === "COPIED" ? "Copied" : "Copy key"}
        </Button>
      </div>
      <p className="meta secret-n" role="status">
        {state === "FAILED"
          ? "Could not copy. Select the key and copy it yourself."
          : "Lost it later? Revoke this key and make a new one. Keep it out of browsers and repositories."}
      </p>
    </>
  );
}
