import { type ReactNode, useState } from "react";
import type { ActionRequest } from "@/components/act/action-mutation";
import { nothingSent } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { InputField } from "@/components/ui/field";
import { LINK } from "@/components/ui/text-styles";
import { decodePayeeFile } from "@/lib/contract/payees/decode-payee-file";
import { formMessage } from "@/lib/contract/refused";

const UNREAD = nothingSent("The file was not read.");

interface FileBounds {
  maximumLength: number;
  /** How to make it smaller. */
  whenTooLarge: string;
  /** Forgets what was made of the file before. */
  onChoose: () => void;
}

/**
 * A file of lines, read by the server each time that it or the match of its columns changes.
 * @param read answers with what the file would add, and stores nothing
 */
export function useChosenFile<Preview extends { kind: string }, Match>(
  read: ActionRequest<{ text: string; match: Match | null }, Preview>["act"],
  { maximumLength, whenTooLarge, onChoose }: FileBounds,
) {
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reading = useAction(read, { whenLost: UNREAD, isRepeatable: true, afterwards: null });
  return {
    text,
    problem,
    reading,
    preview: reading.result,
    async choose(file: File | null) {
      onChoose();
      reading.forget();
      const isTooLarge = file !== null && file.size > maximumLength;
      setProblem(isTooLarge ? `The file is larger than ${maximumLength / 1_000} kB. ${whenTooLarge}` : null);
      const chosen =
        file === null || isTooLarge ? null : decodePayeeFile(new Uint8Array(await file.arrayBuffer()));
      setText(chosen);
      if (chosen !== null) reading.run({ text: chosen, match: null });
    },
    rematch(match: Match) {
      if (text !== null) reading.run({ text, match });
    },
  };
}

interface ChooseFileProps {
  file: Pick<ReturnType<typeof useChosenFile>, "problem" | "choose"> & {
    reading: { refusal: ReturnType<typeof useAction>["refusal"]; isBusy: boolean; result: unknown };
  };
  sampleHref: string;
  hint: string;
  /** What the file may hold, after a link to a sample. */
  children: ReactNode;
  /** Announced once it is done. */
  done?: ReactNode;
}

export function ChooseFile({ file, sampleHref, hint, children, done }: ChooseFileProps) {
  const { problem, choose, reading } = file;
  return (
    <>
      <div className="grid gap-5 max-w-140 mt-4">
        <p className="text-ink-2">
          <a className={LINK} href={sampleHref} download>
            Download a sample file
          </a>{" "}
          {children}
        </p>
        <InputField
          label="CSV file"
          hint={hint}
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          error={problem}
          onChange={(event) => void choose(event.target.files?.[0] ?? null)}
        />
        <RefusalNote message={formMessage(reading.refusal)} />
      </div>
      <div role="status">
        {reading.isBusy && reading.result === null ? (
          <p className="mt-4 text-ink-2">Reading the file</p>
        ) : null}
        {done}
      </div>
    </>
  );
}
