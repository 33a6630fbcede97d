"use client";

import { useState } from "react";
import { BatchPreview } from "@/app/transfers/batch/_components/batch-preview";
import { MatchColumns } from "@/app/transfers/batch/_components/match-columns";
import { previewBatch, proposeBatch } from "@/app/transfers/batch/actions";
import { nothingSent, outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { InputField, TextareaField } from "@/components/ui/field";
import { LINK } from "@/components/ui/text-styles";
import { type BatchFileMatch, MAXIMUM_BATCH_FILE_LENGTH } from "@/lib/contract/approvals/batch-file";
import { MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import { decodePayeeFile } from "@/lib/contract/payees/decode-payee-file";
import { formMessage } from "@/lib/contract/refused";
import type { BatchSources } from "@/lib/views/transfers/list-batch-sources";

const UNREAD = nothingSent("The file was not read.");
const UNKNOWN = outcomeUnknown(
  "the batch may have been proposed. Send it again from this page: it is not proposed twice.",
);
const TOO_LARGE = `The file is larger than ${MAXIMUM_BATCH_FILE_LENGTH / 1_000} kB. Keep the columns and lines that are needed.`;

interface BatchFromFileProps {
  /** New for each page. */
  formId: string;
  sources: BatchSources;
}

/** A file, its columns, every line that it would propose, and then the batch's own page. */
export function BatchFromFile({ formId: newFormId, sources }: BatchFromFileProps) {
  // One per open page: refreshed data must not bring another one.
  const [formId] = useState(newFormId);
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const reading = useAction(previewBatch, { whenLost: UNREAD, isRepeatable: true, afterwards: null });
  const proposing = useAction(proposeBatch, {
    whenLost: UNKNOWN,
    afterwards: (router, { href }) => router.push(href),
  });
  const preview = reading.result;

  const choose = async (file: File | null) => {
    proposing.forget();
    reading.forget();
    const isTooLarge = file !== null && file.size > MAXIMUM_BATCH_FILE_LENGTH;
    setProblem(isTooLarge ? TOO_LARGE : null);
    const read =
      file === null || isTooLarge ? null : decodePayeeFile(new Uint8Array(await file.arrayBuffer()));
    setText(read);
    if (read !== null) reading.run({ text: read, match: null });
  };
  const rematch = (match: BatchFileMatch) => {
    if (text !== null) reading.run({ text, match });
  };
  const propose = () => {
    if (text === null || preview === null || reading.isBusy || proposing.isBusy) return;
    proposing.run({ text, match: preview.match, formId, reason: reason.trim() || null });
  };
  const wrongCount = preview?.lines.filter((line) => line.problem !== null).length ?? 0;

  return (
    <>
      <div className="grid gap-5 max-w-140 mt-4">
        <p className="text-ink-2">
          <a className={LINK} href="/batch-sample.csv" download>
            Download a sample file
          </a>{" "}
          and fill it in, or choose an export with payees and amounts: you then match its columns. Payees and
          accounts are found by their names.
        </p>
        <InputField
          label="CSV file"
          hint="You see every line before anything is stored."
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          error={problem}
          onChange={(event) => choose(event.target.files?.[0] ?? null)}
        />
        <RefusalNote message={formMessage(reading.refusal)} />
      </div>
      <div role="status">
        {reading.isBusy && preview === null ? <p className="mt-4 text-ink-2">Reading the file</p> : null}
      </div>
      {preview === null ? null : (
        <>
          <MatchColumns
            columns={preview.columns}
            match={preview.match}
            sources={sources}
            onChange={rematch}
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
            {wrongCount > 0 ? (
              <p className="text-ink-2">
                {wrongCount === 1 ? "1 line has a problem." : `${wrongCount} lines have problems.`} Correct
                the file and choose it again: a batch is proposed whole.
              </p>
            ) : (
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
