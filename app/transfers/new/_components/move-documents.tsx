"use client";

import { FileText, X } from "lucide-react";
import { removeDocument } from "@/app/transfers/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Section } from "@/components/layout/section";
import { formatSize } from "@/components/parts/approvals/documents";
import { UploadDocument } from "@/components/parts/approvals/upload-document";
import { Button } from "@/components/ui/button";
import { SUBLINE } from "@/components/ui/text-styles";
import { MAXIMUM_DOCUMENTS } from "@/lib/contract/limits";
import type { MovePreview } from "@/lib/views/transfers/read-move-page";

interface MoveDocumentsProps {
  draftId: string;
  documents: MovePreview["documents"];
  onChange: () => void;
}

/** What goes with the money: added now, kept with the transfer once it is confirmed. */
export function MoveDocuments({ draftId, documents, onChange }: MoveDocumentsProps) {
  const removing = useAction(removeDocument, { onDone: onChange, afterwards: null });
  return (
    <Section id="documents" title="Documents" fact="Optional, kept with the transfer">
      {documents.length === 0 ? null : (
        <ul className="[&>li]:border-b [&>li]:border-rule">
          {documents.map(({ id, name, sizeInBytes }) => (
            <li key={id} className="grid grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-3 py-3">
              <FileText />
              <span className="wrap-anywhere">
                <bdi>{name}</bdi>
                <span className={SUBLINE}>{formatSize(sizeInBytes)}</span>
              </span>
              <Button
                kind="quiet"
                size="small"
                busy={removing.isBusy && removing.input?.documentId === id}
                onClick={() => removing.run({ draftId, documentId: id })}
              >
                <X />
                Remove<span className="sr-only"> {name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <RefusalNote message={removing.message} />
      {documents.length < MAXIMUM_DOCUMENTS ? (
        <div className="mt-4">
          <UploadDocument
            path={`/transfers/new/documents?draft=${draftId}`}
            label="Add a document"
            onAdded={onChange}
          />
          <p className="mt-2 text-sm text-ink-3">
            PDF, JPEG or PNG, up to 5 MB. Once the money moves, it can’t be removed.
          </p>
        </div>
      ) : null}
    </Section>
  );
}
