"use client";

import { FileUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { type DragEvent, useRef, useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { DOCUMENT_MEDIA_TYPES, MAXIMUM_DOCUMENT_BYTES } from "@/lib/contract/onboarding";

interface DocumentDropProps {
  subjectIndex: number;
  name: string;
}

const answerSchema = z.object({ message: z.string() });
const UNKNOWN = "Sluice did not answer, so the file may or may not have arrived. Reload the page to check.";

export function DocumentDrop({ subjectIndex, name }: DocumentDropProps) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const send = async (file: File | undefined) => {
    if (!file || isBusy) return;
    if (file.size > MAXIMUM_DOCUMENT_BYTES)
      return setProblem("The file is larger than 5 MB. Nothing was sent.");
    setIsBusy(true);
    const refusal = await upload(subjectIndex, file);
    setIsBusy(false);
    setProblem(refusal);
    if (refusal === null) router.refresh();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void send(event.dataTransfer.files[0]);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the short way; the button inside does the same
    <div
      className={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <FileUp className="ic" />
      <span>
        Drop a file here
        <span className="meta blk">
          Photo (JPEG, PNG) or PDF, up to 5 MB. Only used for this check and not stored.
        </span>
      </span>
      <Button kind="outlined" size="small" busy={isBusy} onClick={() => input.current?.click()}>
        {isBusy ? "Sending" : "Choose a file"}
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
          void send(file);
        }}
      />
      <div role="status">{problem ? <Note tone="red">{problem}</Note> : null}</div>
    </div>
  );
}

/** @returns the problem; null: sent */
async function upload(subjectIndex: number, file: File): Promise<string | null> {
  try {
    const response = await fetch(`/welcome/identity/documents?subject=${subjectIndex}`, {
      method: "POST",
      body: file,
      headers: { "content-type": "application/octet-stream" },
    });
    if (response.status === 204) return null;
    return answerSchema.parse(await response.json()).message;
  } catch {
    return UNKNOWN;
  }
}
