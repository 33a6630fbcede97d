"use client";

import { FileUp } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { z } from "zod";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { SUBLINE } from "@/components/ui/text-styles";
import { DOCUMENT_MEDIA_TYPES } from "@/lib/contract/input/document-types";
import { MAXIMUM_DOCUMENT_BYTES } from "@/lib/contract/limits";
import type { Refused } from "@/lib/contract/refused";
import { withShownField } from "@/lib/contract/shown";

interface DocumentDropProps {
  subjectIndex: number;
  name: string;
}

const answerSchema = z.object({ message: z.string() });
const UNKNOWN = outcomeUnknown("the file may or may not have arrived. Reload the page to check.");
const TOO_LARGE: Refused = { kind: "REFUSED", message: "The file is larger than 5 MB. Nothing was sent." };

export function DocumentDrop({ subjectIndex, name }: DocumentDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const sending = useAction((file: File, shown) => upload(subjectIndex, file, shown), { whenLost: UNKNOWN });
  const send = (file: File | undefined) => {
    if (file && !sending.isBusy) sending.run(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    send(event.dataTransfer.files[0]);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the short way; the button inside does the same
    <div
      className={
        isOver
          ? "grid grid-cols-[20px_1fr_auto] items-center gap-3.5 mt-3 py-3.5 px-4 border border-dashed border-edge rounded-md [&_[role='status']]:col-span-full [&_[role='status']:empty]:hidden max-sm:grid-cols-[20px_1fr] max-sm:[&_.button]:col-span-full bg-water-3"
          : "grid grid-cols-[20px_1fr_auto] items-center gap-3.5 mt-3 py-3.5 px-4 border border-dashed border-edge rounded-md [&_[role='status']]:col-span-full [&_[role='status']:empty]:hidden max-sm:grid-cols-[20px_1fr] max-sm:[&_.button]:col-span-full"
      }
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <FileUp />
      <span>
        Drop a file here
        <span className={SUBLINE}>
          Photo (JPEG, PNG) or PDF, up to 5 MB. Only used for this check and not stored.
        </span>
      </span>
      <Button kind="outlined" size="small" busy={sending.isBusy} onClick={() => input.current?.click()}>
        {sending.isBusy ? "Sending" : "Choose a file"}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        aria-label={`Document of ${name}`}
        accept={DOCUMENT_MEDIA_TYPES.join(",")}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          send(file);
        }}
      />
      <RefusalNote message={sending.message} />
    </div>
  );
}

async function upload(subjectIndex: number, file: File, shown: string): Promise<{ kind: "SENT" } | Refused> {
  if (file.size > MAXIMUM_DOCUMENT_BYTES) return TOO_LARGE;
  const response = await fetch(withShownField(`/welcome/identity/documents?subject=${subjectIndex}`, shown), {
    method: "POST",
    body: file,
    headers: { "content-type": "application/octet-stream" },
  });
  if (response.status === 204) return { kind: "SENT" };
  return { kind: "REFUSED", message: answerSchema.parse(await response.json()).message };
}
