import { Fragment, type ReactElement, type ReactNode } from "react";
import { Amount } from "@/components/money/amount";
import { Ledger } from "@/components/ui/ledger";
import { SUBLINE } from "@/components/ui/text-styles";

/** Shown from tablets on and in print, which has room whatever the screen had. */
const WIDE_ONLY = "max-sm:not-print:hidden!";
const PHONE_ONLY = "sm:hidden! print:hidden!";
const NOT_ON_TABLETS = "sm:max-lg:hidden";
/** A moment stays in one line where there is room. */
const ONE_LINE = "max-sm:whitespace-nowrap lg:whitespace-nowrap";

interface ColumnBase<Row> {
  head: string;
  /** The head is for screen readers only. */
  isHeadHidden?: boolean;
  /** Its cells name their rows. */
  header?: boolean;
  /**
   * HIDDEN: phones do without it. BELOW: phones show it below the row's header, or without one below the first column that
   * they show.
   */
  phone?: "BELOW" | "HIDDEN";
  /** What phones show below, if not the cell; nothing without content. */
  below?: (row: Row) => ReactNode;
  /** Classes of what phones show below; a subline unless given. */
  belowClass?: string;
  /** Where BELOW goes instead. INSIDE: its cell places it, from its second argument. */
  takesBelow?: "AFTER" | "INSIDE";
  tablet?: "HIDDEN";
  /** Classes for both widths in place of `phone`: where a list beside a drawer is as narrow as a phone. */
  narrow?: { hidden: string; below: string };
  /** Classes of its cells. */
  className?: string | undefined;
  /** Classes of its head and its cells. */
  columnClass?: string | undefined;
  /** After the name, outside what surrounds it. */
  about?: (row: Row) => ReactNode;
  /** Its cell in a last row, which there is once a column has one. */
  foot?: ReactNode;
}

/** A cell of an amount: cents, or an amount that is drawn differently. */
interface MoneyColumn<Row> extends ColumnBase<Row> {
  kind: "MONEY";
  cell: (row: Row, below: ReactNode) => number | null | ReactElement;
}

interface OtherColumn<Row> extends ColumnBase<Row> {
  kind?: "NUMBER" | "MOMENT";
  cell: (row: Row, below: ReactNode) => ReactNode;
}

export type Column<Row> = MoneyColumn<Row> | OtherColumn<Row>;

/** One line under a list. */
export interface ListSum {
  label: string;
  cents: number;
}

export interface TableProps<Row> {
  /** For screen readers; shown above if `isCaptionShown`. */
  caption: string;
  isCaptionShown?: boolean;
  rows: readonly Row[];
  /** In order; `false` leaves one out. */
  columns: readonly (Column<Row> | false)[];
  /** Unique among the rows; their `id` unless given. */
  keyOf?: (row: Row) => string | number;
  /** What surrounds the name of the row, such as a link. */
  around?: (row: Row, name: ReactNode) => ReactNode;
  /** A `tr` of its own, with the cells inside. */
  frame?: (row: Row, cells: ReactNode) => ReactNode;
  /** Whether the heads are for screen readers only. */
  areHeadsHidden?: boolean;
  /** What the rows come to, under their amounts. */
  sums?: readonly ListSum[];
  className?: string;
}

/** Rows of data in columns, for wide pages, phones, print and screen readers alike. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, isCaptionShown, rows, around, frame, areHeadsHidden, sums = [], className } = props;
  const columns = props.columns.filter((column) => column !== false);
  const taking = takingIndex(columns);
  return (
    <Ledger {...(className && { className })}>
      <caption className={isCaptionShown ? undefined : "sr-only"}>{caption}</caption>
      <thead className={areHeadsHidden ? "sr-only" : undefined}>
        <tr>
          {columns.map((column) => (
            <th key={column.head} scope="col" className={columnClass(column)}>
              {column.isHeadHidden ? <span className="sr-only">{column.head}</span> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const cells = columns.map((column, index) => {
            const isTaking = index === taking;
            const content = isTaking ? nameOf(column, row, columns, around) : contentOf(column, row, null);
            return (
              <Cell key={column.head} column={column}>
                {content}
              </Cell>
            );
          });
          return (
            <Fragment key={(props.keyOf ?? idOf)(row)}>
              {frame ? frame(row, cells) : <tr>{cells}</tr>}
            </Fragment>
          );
        })}
      </tbody>
      <Foot columns={columns} sums={sums} taking={taking} />
    </Ledger>
  );
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  const className = joined(
    columnClass(column),
    column.kind === "MOMENT" ? ONE_LINE : undefined,
    column.className,
  );
  return column.header ? (
    <th scope="row" className={className}>
      {children}
    </th>
  ) : (
    <td className={className}>{children}</td>
  );
}

/** The cell that names the row: its link, what follows it, and what phones show below. */
function nameOf<Row>(
  column: Column<Row>,
  row: Row,
  columns: readonly Column<Row>[],
  around: TableProps<Row>["around"],
): ReactNode {
  const below = columns.map((other) => <Below key={other.head} column={other} row={row} />);
  const content = contentOf(column, row, below);
  return (
    <>
      {around ? around(row, content) : content}
      {column.about?.(row)}
      {column.takesBelow === "INSIDE" ? null : below}
    </>
  );
}

function Below<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { phone, narrow, below, belowClass = SUBLINE } = column;
  if (phone !== "BELOW" && narrow === undefined) return null;
  const content = below ? below(row) : contentOf(column, row, null);
  if (content === null || content === undefined || content === "") return null;
  return <span className={narrow ? narrow.below : joined(belowClass, PHONE_ONLY)}>{content}</span>;
}

function contentOf<Row>(column: Column<Row>, row: Row, below: ReactNode): ReactNode {
  if (column.kind !== "MONEY") return column.cell(row, below);
  const content = column.cell(row, below);
  return content === null || typeof content === "number" ? <Amount cents={content} /> : content;
}

interface FootProps<Row> {
  columns: readonly Column<Row>[];
  sums: readonly ListSum[];
  taking: number;
}

function Foot<Row>({ columns, sums, taking }: FootProps<Row>) {
  const hasFoot = columns.some(({ foot }) => foot !== undefined);
  if (!hasFoot && sums.length === 0) return null;
  const first = firstOnPhones(columns);
  return (
    <tfoot>
      {hasFoot ? (
        <tr>
          {columns.map((column, index) => (
            <Cell key={column.head} column={{ ...column, className: undefined, header: index === taking }}>
              {column.foot}
            </Cell>
          ))}
        </tr>
      ) : null}
      {sums.map(({ label, cents }) => (
        <tr key={label}>
          {columns.map((column, index) => {
            if (index === taking) {
              return (
                <th key={column.head} scope="row" colSpan={taking - first + 1} className="whitespace-normal!">
                  {label}
                </th>
              );
            }
            if (index >= first && index < taking) return null;
            return (
              <td key={column.head} className={columnClass(column)}>
                {column.kind === "MONEY" ? <Amount cents={cents} /> : null}
              </td>
            );
          })}
        </tr>
      ))}
    </tfoot>
  );
}

const firstOnPhones = <Row,>(columns: readonly Column<Row>[]) =>
  columns.findIndex(({ phone, narrow }) => phone === undefined && narrow === undefined);

/** The column that names the row. */
function takingIndex<Row>(columns: readonly Column<Row>[]): number {
  const chosen = columns.findIndex(({ takesBelow }) => takesBelow !== undefined);
  if (chosen !== -1) return chosen;
  const header = columns.findIndex((column) => column.header);
  return header === -1 ? firstOnPhones(columns) : header;
}

/** Of head, cells and foot of a column. */
function columnClass<Row>({
  kind,
  phone,
  tablet,
  narrow,
  columnClass: own,
}: Column<Row>): string | undefined {
  return joined(
    phone ? WIDE_ONLY : undefined,
    kind === "MONEY" || kind === "NUMBER" ? "number" : undefined,
    tablet ? NOT_ON_TABLETS : undefined,
    narrow?.hidden,
    own,
  );
}

function joined(...classes: (string | undefined)[]): string | undefined {
  return classes.filter(Boolean).join(" ") || undefined;
}

function idOf(row: unknown): string {
  if (typeof row === "object" && row !== null && "id" in row && typeof row.id === "string") return row.id;
  throw new Error("Rows without an id need keyOf");
}
