"use client";

import { useState } from "react";
import { BatchPreview } from "@/app/transfers/batch/_components/batch-preview";
import { previewBatch, proposeBatch } from "@/app/transfers/batch/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { ChooseFile, useChosenFile } from "@/components/parts/files/chosen-file";
import { FileColumns, type FileField, withColumn } from "@/components/parts/files/file-columns";
import { Button } from "@/components/ui/button";
import { TextareaField } from "@/components/ui/field";
import {
  type BatchFileField,
  type BatchFileMatch,
  MAXIMUM_BATCH_FILE_LENGTH,
} from "@/lib/contract/approvals/batch-file";
import { MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import { formMessage } from "@/lib/contract/refused";
import type { BatchSources } from "@/lib/views/transfers/list-batch-sources";

const UNKNOWN = outcomeUnknown(
  "the batch may have been proposed. Send it again from this page: it is not proposed twice.",
);
interface BatchFromFileProps {
  /** New for each page. */
  formId: string;
  sources: BatchSources;
}

/** A file, its columns, every line that it would propose, and then the batch's own page. */
export function BatchFromFile({ formId: newFormId, sources }: BatchFromFileProps) {
  // One per open page: refreshed data must not bring another one.
  const [formId] = useState(newFormId);
  const [reason, setReason] = useState("");
  const proposing = useAction(proposeBatch, {
    whenLost: UNKNOWN,
    afterwards: (router, { href }) => router.push(href),
  });
  const file = useChosenFile(previewBatch, {
    maximumLength: MAXIMUM_BATCH_FILE_LENGTH,
    whenTooLarge: "Keep the columns and lines that are needed.",
    onChoose: proposing.forget,
  });
  const { text, preview } = file;
  const propose = () => {
    if (text === null || preview === null || file.reading.isBusy || proposing.isBusy) return;
    proposing.run({ text, match: preview.match, formId, reason: reason.trim() || null });
  };
  const wrongCount = preview?.lines.filter((line) => line.problem !== null).length ?? 0;

  return (
    <>
      <ChooseFile
        file={file}
        sampleHref="/batch-sample.csv"
        hint="You see every line before anything is stored."
      >
        and fill it in, or choose an export with payees and amounts: you then match its columns. Payees and
        accounts are found by their names.
      </ChooseFile>
      {preview === null ? null : (
        <>
          <FileColumns
            columns={preview.columns}
            match={preview.match}
            fields={fieldsOf(sources)}
            ofAll={(field) => (field === "source" ? preview.match.sourceAccountId : null)}
            onHeader={(hasHeader) => file.rematch({ ...preview.match, hasHeader })}
            onPick={(field, value) => file.rematch(withValue(preview.match, field, value))}
          />
          <BatchPreview preview={preview} wrongCount={wrongCount} />
          <div className="grid gap-5 max-w-140 mt-6">
            <TextareaField
              label={
                <>
                  Reason <span className="text-sm text-ink-3">Optional</span>
                </>
              }
              hint="For your team, word for word; the bank never sees it."
              rows={2}
              maxLength={MAXIMUM_REASON_FOR_APPROVAL_LENGTH}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
            <RefusalNote message={formMessage(proposing.refusal)} />
            {preview.lacksSource ? (
              <p className="text-ink-2">Choose the account that the money comes from, under From above.</p>
            ) : null}
            {wrongCount > 0 ? (
              <p className="text-ink-2">
                {wrongCount === 1 ? "1 line has a problem." : `${wrongCount} lines have problems.`} Correct
                the file and choose it again: a batch is proposed whole.
              </p>
            ) : null}
            {preview.lacksSource || wrongCount > 0 ? null : (
              <div>
                <Button kind="primary" size="large" busy={proposing.isBusy} onClick={propose}>
                  {proposing.isBusy
                    ? "Proposing"
                    : preview.lines.length === 1
                      ? "Propose 1 payment"
                      : `Propose ${preview.lines.length} payments`}
                </Button>
                <p className="mt-3 text-sm text-ink-3">
                  Nothing moves until the batch is signed on the next page.
                </p>
              </div>
            )}
          </div>
        </>
      )}
    </>
  );
}

const fieldsOf = (sources: BatchSources): readonly FileField<BatchFileField>[] => [
  {
    field: "source",
    label: "From",
    without: "Choose a column or an account",
    forAll: sources.map(({ id, name }) => ({ value: `=${id}`, label: `All from ${name}` })),
  },
  { field: "destination", label: "To", without: "Choose a column" },
  { field: "amount", label: "Amount", without: "Choose a column" },
  { field: "description", label: "Statement label", without: "Not in the file" },
];

/** A match with another value of one select: a column, an account for all lines, or neither. */
function withValue(match: BatchFileMatch, field: BatchFileField, value: string): BatchFileMatch {
  const changed = withColumn<BatchFileField, BatchFileMatch>(match, field, value);
  if (field === "source") changed.sourceAccountId = value.startsWith("=") ? value.slice(1) : null;
  return changed;
}
