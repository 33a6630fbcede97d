import { PART_HEAD } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { formatMoment } from "@/components/time/format-instant";
import type { MovementDetailView } from "@/lib/views/movements/read-movement-detail";
import type { BookLineView } from "@/lib/views/movements/read-transfer-detail";

/** Double entry: each booking debits one account and credits another by the same amount. */
export function BooksTables({ view: { books, time } }: { view: MovementDetailView }) {
  return books.map((line) => (
    <section key={line.entryId} aria-labelledby={`books-${line.entryId}`}>
      <div className={PART_HEAD}>
        <h2 className="text-base font-semibold" id={`books-${line.entryId}`}>
          {line.kind === "RETURN" ? "Reversal" : "Ledger entries"}
        </h2>
        <p>{formatMoment(line.bookedAt, time)}</p>
      </div>
      <BookTable line={line} />
    </section>
  ));
}

const NOTHING = (
  <span className="text-ink-3">
    <span aria-hidden="true">–</span>
    <span className="sr-only">nothing</span>
  </span>
);

/** One booking with both sides. */
export function BookTable({ line: { debitName, creditName, amountInCents } }: { line: BookLineView }) {
  const amount = <Amount cents={amountInCents} />;
  return (
    <Table
      className="[&_tbody_:is(td,th)]:py-2.25"
      caption="Entries"
      rows={[
        { side: "DEBIT", name: debitName },
        { side: "CREDIT", name: creditName },
      ]}
      keyOf={({ side }) => side}
      columns={[
        { head: "Account", header: true, cell: ({ name }) => name, foot: "Balanced" },
        {
          head: "Debit",
          kind: "MONEY",
          cell: ({ side }) => (side === "DEBIT" ? amount : NOTHING),
          foot: amount,
        },
        {
          head: "Credit",
          kind: "MONEY",
          cell: ({ side }) => (side === "CREDIT" ? amount : NOTHING),
          foot: amount,
        },
      ]}
    />
  );
}
