import { Row, type Shown } from "@/app/design/specimen";
import { PagerLink } from "@/components/layout/pager-link";
import { Amount } from "@/components/money/amount";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";
import { Ledger, linkRowClass } from "@/components/ui/ledger";

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
    states: <Movements />,
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

function Movements() {
  return (
    <Ledger>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Movement</th>
          <th scope="col" className="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ at, state, cents }) => (
          <tr key={at} className={linkRowClass()}>
            <td className="max-sm:whitespace-nowrap lg:whitespace-nowrap">{at}</td>
            <th scope="row">
              <Flow from="Operating" to="Taxes" state={state} layout="column" />
            </th>
            <td className="number">
              <Amount cents={cents} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td />
          <th scope="row">Together</th>
          <td className="number">
            <Amount cents={635_000} />
          </td>
        </tr>
      </tfoot>
    </Ledger>
  );
}
