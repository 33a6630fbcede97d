import { Flag } from "lucide-react";
import { Section } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { SUBLINE, TAG } from "@/components/ui/text-styles";
import type { BatchFilePreview, PreviewedLine } from "@/lib/contract/approvals/batch-file";

interface BatchPreviewProps {
  preview: BatchFilePreview;
  wrongCount: number;
}

/** Every line of the file in its order and with its number, as on the batch's own page. */
export function BatchPreview({ preview, wrongCount }: BatchPreviewProps) {
  const { lines, totalInCents, lacksSource } = preview;
  return (
    <Section
      id="preview"
      title={lines.length === 1 ? "1 payment" : `${lines.length} payments`}
      fact={
        wrongCount > 0
          ? `${wrongCount} to correct`
          : lacksSource
            ? "From which account?"
            : "All can be proposed"
      }
    >
      <Table
        className="[&_tbody_:is(td,th)]:py-1.75 [&_tbody_:is(td,th)]:align-middle"
        caption="What the file would propose"
        rows={lines}
        keyOf={({ number }) => number}
        columns={[
          {
            head: "#",
            columnClass: "w-9 max-sm:w-6",
            className: "text-sm text-ink-3",
            cell: ({ number }) => number,
          },
          {
            head: "To",
            header: true,
            className: "wrap-anywhere",
            cell: ({ destinationName, sourceName, description }) => (
              <>
                {destinationName === "" ? <span className="text-ink-3">Unknown</span> : destinationName}
                <span className={SUBLINE}>
                  {[sourceName === "" ? null : `from ${sourceName}`, description]
                    .filter((part) => part !== null)
                    .join(", ")}
                </span>
              </>
            ),
          },
          { head: "Look at", phone: "BELOW", cell: (line) => <Findings line={line} /> },
          {
            head: "Amount",
            kind: "MONEY",
            cell: ({ amountInCents }) =>
              amountInCents === null ? (
                <span className="text-ink-3">–</span>
              ) : (
                <Amount cents={amountInCents} />
              ),
          },
        ]}
        sums={[
          {
            label: wrongCount === 0 ? "Together" : "Together, as far as it can be read",
            cents: totalInCents,
          },
        ]}
      />
    </Section>
  );
}

function Findings({ line: { problem, fileLine, sameAccountAs } }: { line: PreviewedLine }) {
  if (problem !== null) {
    return (
      <span className="text-red">
        {problem} <span className="text-sm">Line {fileLine} of the file.</span>
      </span>
    );
  }
  if (sameAccountAs === null) return null;
  return (
    <span className={TAG}>
      <Flag className="size-3 stroke-2" aria-hidden="true" />
      Same account as line {sameAccountAs}
    </span>
  );
}
