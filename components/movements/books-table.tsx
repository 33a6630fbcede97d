import { Amount } from "@/components/money/amount";
import { formatMoment } from "@/components/time/format-instant";
import type { BookLineView, MovementDetailView } from "@/lib/contract/views/movements-view";

/** Double entry: each booking debits one account and credits another by the same amount. */
export function BooksTables({ view: { books, time } }: { view: MovementDetailView }) {
  return books.map((line) => (
    <section key={line.entryId} aria-labelledby={`books-${line.entryId}`}>
      <div className="sec-h">
        <h2 className="h3" id={`books-${line.entryId}`}>
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
    <table className="ledger tight bk">
      <caption className="vh">Entries</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" className="num">
            Debit
          </th>
          <th scope="col" className="num">
            Credit
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{debitName}</th>
          <td className="num">{amount}</td>
          <Nothing />
        </tr>
        <tr>
          <th scope="row">{creditName}</th>
          <Nothing />
          <td className="num">{amount}</td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Balanced</th>
          <td className="num">{amount}</td>
          <td className="num">{amount}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Nothing() {
  return (
    <td className="num dash">
      <span aria-hidden="true">–</span>
      <span className="vh">nothing</span>
    </td>
  );
}
