"use client";

import { useState } from "react";
import { importPayees, previewPayees } from "@/app/payees/actions";
import { ColumnMatch } from "@/app/payees/import/_components/column-match";
import { ImportPreview } from "@/app/payees/import/_components/import-preview";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { ChooseFile, useChosenFile } from "@/components/parts/files/chosen-file";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";
import { MAXIMUM_IMPORT_LENGTH, MAXIMUM_IMPORTED_LINES } from "@/lib/contract/payee";
import type { ImportedLine } from "@/lib/contract/payees/payee-file";
import { formMessage } from "@/lib/contract/refused";

const UNKNOWN = outcomeUnknown(
  "some lines may have been added. Send the file again: what is there is not added twice.",
);

/** A file, its columns where they need matching, what it would add, and then what it added. */
export function ImportPayees({
  needsAddress,
  formId: newFormId,
}: {
  /** New for each page. */
  formId: string;
  /** Whether the bank asks for the holder's postal address. */
  needsAddress: boolean;
}) {
  // One per open page: refreshed data must not bring another one.
  const [formId] = useState(newFormId);
  const importing = useAction(importPayees, { whenLost: UNKNOWN, afterwards: null });
  const file = useChosenFile(previewPayees, {
    maximumLength: MAXIMUM_IMPORT_LENGTH,
    whenTooLarge: `Keep the columns and lines that are needed; at most ${MAXIMUM_IMPORTED_LINES} lines.`,
    onChoose: importing.forget,
  });
  const { text, preview } = file;
  const imported = importing.result?.lines ?? null;

  return (
    <>
      <ChooseFile
        file={file}
        sampleHref="/payees-sample.csv"
        hint="You see what it adds before anything is stored."
        done={imported ? <Imported lines={imported} /> : null}
      >
        and fill it in, or choose an export of Mercury, QuickBooks or any list: you then match its columns.{" "}
        {needsAddress
          ? "The bank needs the postal address of each account holder."
          : "The address of the account holder is optional."}{" "}
        Without an account number, a payee gets a link to enter it.
      </ChooseFile>
      {preview !== null && imported === null ? (
        <>
          {preview.isOwnHeader ? null : (
            <ColumnMatch columns={preview.columns} match={preview.match} onChange={file.rematch} />
          )}
          <ImportPreview payees={preview.payees}>
            <RefusalNote message={formMessage(importing.refusal)} />
            <ImportButton
              count={preview.payees.filter((payee) => payee.problem === null).length}
              isBusy={importing.isBusy}
              onPress={() => {
                const match = preview.isOwnHeader ? null : preview.match;
                if (text !== null && !file.reading.isBusy && !importing.isBusy)
                  importing.run({ text, match, formId });
              }}
            />
          </ImportPreview>
        </>
      ) : null}
    </>
  );
}

function ImportButton({ count, isBusy, onPress }: { count: number; isBusy: boolean; onPress: () => void }) {
  if (count === 0) return <p className="mt-4 text-ink-2">No line can be imported yet.</p>;
  return (
    <div className="mt-5">
      <Button kind="primary" size="large" busy={isBusy} onClick={onPress}>
        {isBusy ? "Importing" : count === 1 ? "Import 1 payee" : `Import ${count} payees`}
      </Button>
    </div>
  );
}

/** Lines with problems first: they need a person. */
export function Imported({ lines }: { lines: readonly ImportedLine[] }) {
  const wrong = lines.filter(({ problem }) => problem !== null);
  const addedCount = lines.length - wrong.length;
  return (
    <Section
      id="imported"
      title={addedCount === 1 ? "1 payee was added" : `${addedCount} payees were added`}
      fact={wrong.length === 0 ? null : `${wrong.length} not added`}
    >
      {wrong.length === 0 ? null : (
        <Table
          className="mt-2"
          caption="Lines with problems"
          rows={wrong}
          keyOf={({ line }) => line}
          columns={[
            { head: "Line", header: true, cell: ({ line }) => line },
            {
              head: "Payee",
              className: "wrap-anywhere",
              cell: ({ name }) => (name === "" ? "No name" : name),
            },
            { head: "What is wrong", cell: ({ problem }) => problem },
          ]}
        />
      )}
      <p className="mt-4">
        <Link className={LINK} href="/payees">
          See the payees
        </Link>
      </p>
    </Section>
  );
}
