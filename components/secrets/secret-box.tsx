"use client";

import { Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";

interface SecretBoxProps {
  text: string;
  /** What it is called: a hook's is no key. */
  noun?: "key" | "secret";
  /** What to do when it is lost. */
  whenLost?: string;
  onCopied: () => void;
}

/** The text of a key, shown this once, with a way to take it along. */
export function SecretBox({
  text,
  noun = "key",
  whenLost = "Revoke this key and make a new one.",
  onCopied,
}: SecretBoxProps) {
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
          {state === "COPIED" ? "Copied" : `Copy ${noun}`}
        </Button>
      </div>
      <p className="meta secret-n" role="status">
        {state === "FAILED"
          ? `Could not copy. Select the ${noun} and copy it yourself.`
          : `Lost it later? ${whenLost} Keep it out of browsers and repositories.`}
      </p>
    </>
  );
}
