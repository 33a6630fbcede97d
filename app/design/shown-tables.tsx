import { Row, type Shown } from "@/app/design/specimen";

import { Amount } from "@/components/money/amount";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";

import { PagerLink } from "@/components/ui/pager-link";

const ROWS: { at: string; state: SluiceState; cents: number }[] = [
  { at: "Today, 9:14", state: "open", cents: 425_000 },
  { at: "Yesterday", state: "through", cents: 120_000 },
  { at: "Nov 12", state: "denied", cents: 90_000 },
];

/** What lists many. */
export const SHOWN_TABLES: readonly Shown[] = [
  {
    name: "Ledger table",
    use: "Every list of movements; the total has the double rule of a book.",
    states: <Ledger className="ledger" />,
  },
  {
    name: "Tight ledger table",
    use: "The same inside a column.",
    states: <Ledger className="ledger tight" />,
  },
  {
    name: "Pager",
    use: "The ways through a long list; without effect where there is no further page.",
    states: (
      <Row>
        <PagerLink href={null}>Newer</PagerLink>
        <PagerLink href="/design?show=primitives">Older</PagerLink>
      </Row>
    ),
  },
];

function Ledger({ className }: { className: string }) {
  return (
    <table className={className}>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Movement</th>
          <th scope="col" className="num">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ at, state, cents }) => (
          <tr key={at} className="is-link">
            <td className="nowrap">{at}</td>
            <th scope="row">
              <Flow from="Operating" to="Taxes" state={state} />
            </th>
            <td className="num">
              <Amount cents={cents} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td />
          <th scope="row">Together</th>
          <td className="num">
            <Amount cents={635_000} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
