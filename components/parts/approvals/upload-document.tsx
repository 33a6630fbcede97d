"use client";

import { Paperclip } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLayoutEffect, useRef, useState } from "react";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { shownByPage } from "@/components/act/shown-by-page";
import { refreshPage } from "@/components/act/survive-translation";
import { Button } from "@/components/ui/button";
import { DOCUMENT_MEDIA_TYPES, DOCUMENT_NAME_HEADER } from "@/lib/contract/input/document-types";
import { MAXIMUM_DOCUMENT_BYTES } from "@/lib/contract/limits";
import type { Refused } from "@/lib/contract/refused";
import { withShownField } from "@/lib/contract/shown";

interface UploadDocumentProps {
  /** Where the file goes. */
  path: string;
  label: string;
  /** By default, the page is refreshed. */
  onAdded?: () => void;
}

const UNKNOWN = outcomeUnknown("the file may or may not have arrived. Reload the page to check.");
const TOO_LARGE: Refused = { kind: "REFUSED", message: "The file is larger than 5 MB. Nothing was added." };

/**
 * Chooses one file and sends it. Without `useAction`: the approval page's frame has no provider for it, to stay small for
 * phones.
 */
export function UploadDocument({ path, label, onAdded }: UploadDocumentProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const place = input.current?.parentElement;
    return () => leaveFocusBeside(place);
  }, []);
  const router = useRouter();
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const send = async (file: File) => {
    setIsBusy(true);
    setMessage(null);
    const result = await upload(path, file, shownByPage()).catch(() => UNKNOWN);
    setIsBusy(false);
    if (result.kind === "REFUSED") return setMessage(result.message);
    if (onAdded) onAdded();
    else refreshPage(router);
  };
  return (
    <div className="print:hidden">
      <Button kind="outlined" size="small" busy={isBusy} onClick={() => input.current?.click()}>
        <Paperclip />
        {isBusy ? "Adding" : label}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        aria-label={label}
        accept={DOCUMENT_MEDIA_TYPES.join(",")}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file && !isBusy) void send(file);
        }}
      />
      <RefusalNote message={message} />
    </div>
  );
}

/** With the last document that fits, the button goes: the focus moves to what is left beside it, not to the page's top. */
function leaveFocusBeside(place: HTMLElement | null | undefined): void {
  if (!place?.contains(document.activeElement)) return;
  const others = [...(place.closest("section")?.querySelectorAll<HTMLElement>("a, button") ?? [])];
  others.findLast((other) => !place.contains(other))?.focus();
}

async function upload(path: string, file: File, shown: string): Promise<{ kind: "ADDED" } | Refused> {
  if (file.size > MAXIMUM_DOCUMENT_BYTES) return TOO_LARGE;
  const response = await fetch(withShownField(path, shown), {
    method: "POST",
    body: file,
    headers: {
      "content-type": "application/octet-stream",
      [DOCUMENT_NAME_HEADER]: encodeURIComponent(file.name),
    },
  });
  if (response.status === 204) return { kind: "ADDED" };
  // By hand: a schema would more than double the scripts of the approval page.
  const answer: unknown = await response.json();
  const isRefusal = typeof answer === "object" && answer !== null && "message" in answer;
  if (!isRefusal || typeof answer.message !== "string") throw new Error("The answer has no message");
  return { kind: "REFUSED", message: answer.message };
}
