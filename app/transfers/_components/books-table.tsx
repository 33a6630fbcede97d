import { PART_HEAD } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { formatMoment } from "@/components/time/format-instant";
import { Ledger } from "@/components/ui/ledger";
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

/** One booking with both sides. */
export function BookTable({ line: { debitName, creditName, amountInCents } }: { line: BookLineView }) {
  const amount = <Amount cents={amountInCents} />;
  return (
    <Ledger className="[&_tbody_:is(td,th)]:py-2.25">
      <caption className="sr-only">Entries</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" className="number">
            Debit
          </th>
          <th scope="col" className="number">
            Credit
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{debitName}</th>
          <td className="number">{amount}</td>
          <Nothing />
        </tr>
        <tr>
          <th scope="row">{creditName}</th>
          <Nothing />
          <td className="number">{amount}</td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Balanced</th>
          <td className="number">{amount}</td>
          <td className="number">{amount}</td>
        </tr>
      </tfoot>
    </Ledger>
  );
}

function Nothing() {
  return (
    <td className="number text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">nothing</span>
    </td>
  );
}
