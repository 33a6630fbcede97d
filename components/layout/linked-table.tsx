import { Table, type TableProps } from "@/components/layout/table";
import { linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";

interface LinkedTableProps<Row> extends Omit<TableProps<Row>, "around"> {
  /** Where the name of a row leads; null: nowhere. */
  link: (row: Row) => string | null;
}

/** A table whose rows open. Apart from the table, which pages without client navigation load too. */
export function LinkedTable<Row>({ link, ...table }: LinkedTableProps<Row>) {
  return (
    <Table
      frame={(row, cells) => <tr className={link(row) === null ? undefined : linkRowClass()}>{cells}</tr>}
      {...table}
      around={(row, name) => {
        const href = link(row);
        return href === null ? name : <Link href={href}>{name}</Link>;
      }}
    />
  );
}
