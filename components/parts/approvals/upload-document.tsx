"use client";

import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { z } from "zod";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
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

const answerSchema = z.object({ message: z.string() });
const UNKNOWN = outcomeUnknown("the file may or may not have arrived. Reload the page to check.");
const TOO_LARGE: Refused = { kind: "REFUSED", message: "The file is larger than 5 MB. Nothing was added." };

/** Chooses one file and sends it. */
export function UploadDocument({ path, label, onAdded }: UploadDocumentProps) {
  const input = useRef<HTMLInputElement>(null);
  const sending = useAction((file: File, shown) => upload(path, file, shown), {
    whenLost: UNKNOWN,
    onDone: onAdded,
    ...(onAdded && { afterwards: null }),
  });
  return (
    <div className="print:hidden">
      <Button kind="outlined" size="small" busy={sending.isBusy} onClick={() => input.current?.click()}>
        <Paperclip />
        {sending.isBusy ? "Adding" : label}
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
          if (file && !sending.isBusy) sending.run(file);
        }}
      />
      <RefusalNote message={sending.message} />
    </div>
  );
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
  return { kind: "REFUSED", message: answerSchema.parse(await response.json()).message };
}
