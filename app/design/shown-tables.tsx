import { Row, type Shown } from "@/app/design/specimen";
import { PagerLink } from "@/components/layout/pager-link";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { Flow, type SluiceState } from "@/components/sluice/row-sluice";
import { linkRowClass } from "@/components/ui/ledger";

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
    <Table
      caption="Movements"
      rows={ROWS}
      keyOf={({ at }) => at}
      frame={(_row, cells) => <tr className={linkRowClass()}>{cells}</tr>}
      columns={[
        { head: "When", kind: "MOMENT", cell: ({ at }) => at, foot: null },
        {
          head: "Movement",
          header: true,
          cell: ({ state }) => <Flow from="Operating" to="Taxes" state={state} layout="column" />,
          foot: "Together",
        },
        { head: "Amount", kind: "MONEY", cell: ({ cents }) => cents, foot: <Amount cents={635_000} /> },
      ]}
    />
  );
}
