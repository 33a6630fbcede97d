import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Table } from "@/components/layout/table";

const ROWS = [
  { id: "1", name: "Rent", when: "Monday", cents: 120_000 },
  { id: "2", name: "Taxes", when: "", cents: null },
];

const html = renderToStaticMarkup(
  <Table
    caption="Bills"
    rows={ROWS}
    sums={[{ label: "Together", cents: 120_000 }]}
    columns={[
      { head: "When", phone: "BELOW", cell: ({ when }) => when },
      { head: "Bill", header: true, cell: ({ name }) => name },
      { head: "Note", phone: "HIDDEN", cell: () => "Paid by hand" },
      { head: "Amount", kind: "MONEY", cell: ({ cents }) => cents },
    ]}
  />,
);
const count = (text: string) => html.split(text).length - 1;

it("names itself, its columns and its rows for screen readers", () => {
  expect(html).toContain('<caption class="sr-only">Bills</caption>');
  expect(count('scope="col"')).toBe(4);
  expect(html).toMatch(/<th scope="row">Rent</);
});

it("shows below the name what phones have no column for, and no empty line", () => {
  expect(html).toMatch(
    /<th scope="row">Rent<span class="[^"]*sm:hidden! print:hidden!">Monday<\/span><\/th>/,
  );
  expect(html).toMatch(/<th scope="row">Taxes<\/th>/);
  // Head, two cells and the cell beside the sum, in two columns.
  expect(count("max-sm:not-print:hidden!")).toBe(8);
  expect(count("Paid by hand")).toBe(2);
});

it("shows an unknown amount as a dash, never as zero", () => {
  expect(count("$1,200")).toBe(2);
  expect(html).not.toContain("$0");
  expect(html).toContain("–");
});
