"use client";

import { useState } from "react";
import { outcomeUnknown } from "@/components/actions/answer-lost";
import { RefusalNote } from "@/components/actions/refusal-note";
import { useAction } from "@/components/actions/use-action";
import { Section } from "@/components/layout/section";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Ledger } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { LINK, MONO } from "@/components/ui/text-styles";
import {
  MAXIMUM_IMPORT_LENGTH,
  MAXIMUM_IMPORTED_LINES,
  PAYEE_CSV_ADDRESS_COLUMNS,
  PAYEE_CSV_COLUMNS,
} from "@/lib/contract/payee";
import { formMessage } from "@/lib/contract/refused";
import type { ImportedLine, PayeeActions } from "@/lib/contract/views/payees-view";

const UNKNOWN = outcomeUnknown(
  "some lines may have been added. Send the file again: what is there is not added twice.",
);
const HEADER = PAYEE_CSV_COLUMNS.join(",");
const ADDRESS = PAYEE_CSV_ADDRESS_COLUMNS.join(",");
const TOO_LARGE = `The file must have at most ${MAXIMUM_IMPORTED_LINES} lines.`;

/** Adds what it can, and says of every other line what is wrong with it. */
export function ImportPayees({
  needsAddress,
  importPayees,
  formId: newFormId,
}: Pick<PayeeActions, "importPayees"> & {
  /** New for each page. */
  formId: string;
  /** Whether the bank asks for the holder's postal address. */
  needsAddress: boolean;
}) {
  // One per open page: refreshed data must not bring another one.
  const [formId] = useState(newFormId);
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const importing = useAction({ act: importPayees, whenLost: UNKNOWN, afterwards: null });
  const lines = importing.result?.lines ?? null;
  return (
    <>
      <form
        method="post"
        noValidate
        className="grid gap-5 max-w-140 mt-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (text === null) setProblem("Choose a file first.");
          else if (!importing.isBusy) importing.run({ text, formId });
        }}
      >
        <p className="text-ink-2">
          Its first line is{" "}
          <code className={`${MONO} wrap-anywhere`}>{needsAddress ? `${HEADER},${ADDRESS}` : HEADER}</code>.
          The kind is BUSINESS or INDIVIDUAL, the account kind CHECKING or SAVINGS. Leave all fields of the
          account empty to send a link later.{" "}
          {needsAddress ? (
            "The bank needs the postal address of each account holder. The state has two letters."
          ) : (
            <>
              An address of the account holder may follow as{" "}
              <code className={`${MONO} wrap-anywhere`}>{ADDRESS}</code>.
            </>
          )}
        </p>
        <InputField
          label="CSV file"
          type="file"
          accept=".csv,text/csv"
          error={problem}
          onChange={async (event) => {
            const file = event.target.files?.[0] ?? null;
            const isTooLarge = file !== null && file.size > MAXIMUM_IMPORT_LENGTH;
            setProblem(isTooLarge ? TOO_LARGE : null);
            setText(file === null || isTooLarge ? null : await file.text());
          }}
        />
        <RefusalNote message={formMessage(importing.refusal)} />
        <div>
          <Button kind="primary" size="large" type="submit" busy={importing.isBusy}>
            {importing.isBusy ? "Importing" : "Import"}
          </Button>
        </div>
      </form>
      <div role="status">{lines ? <Imported lines={lines} /> : null}</div>
    </>
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
        <Ledger className="mt-2">
          <caption className="sr-only">Lines with problems</caption>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Payee</th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {wrong.map(({ line, name, problem }) => (
              <tr key={line}>
                <th scope="row">{line}</th>
                <td className="wrap-anywhere">{name === "" ? "No name" : name}</td>
                <td>{problem}</td>
              </tr>
            ))}
          </tbody>
        </Ledger>
      )}
      <p className="mt-4">
        <Link className={LINK} href="/payees">
          See the payees
        </Link>
      </p>
    </Section>
  );
}
