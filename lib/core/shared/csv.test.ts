import { expect, test } from "vitest";
import { type CsvColumn, csvFile, csvHead, csvLines, decimalText } from "@/lib/core/shared/csv";

interface Row {
  text: string | null;
  cents: bigint;
}

const COLUMNS: CsvColumn<Row>[] = [
  { header: "Text", value: ({ text }) => text },
  { header: "Amount", value: ({ cents }) => cents },
];

const lineOf = (text: string | null, cents = 100n) => csvLines(COLUMNS, [{ text, cents }]);

test("a text that a spreadsheet would execute is written as text", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"]) {
    expect(lineOf(text).replaceAll('"', "")).toBe(`'${text},1.00\r\n`);
  }
  expect(lineOf('=HYPERLINK("https://example.com","Refund")')).toBe(
    `"'=HYPERLINK(""https://example.com"",""Refund"")",1.00\r\n`,
  );
});

test("an amount stays a number, even a negative one, and is never a fraction of a cent", () => {
  expect(lineOf("a", -123_450n)).toBe("a,-1234.50\r\n");
  expect(decimalText(5n)).toBe("0.05");
  expect(decimalText(-5n)).toBe("-0.05");
  expect(decimalText(9_007_199_254_740_993n)).toBe("90071992547409.93");
});

test("commas, quotes, line breaks and empty values survive", () => {
  expect(lineOf('He said "no",\nthen left')).toBe('"He said ""no"",\nthen left",1.00\r\n');
  expect(lineOf(null)).toBe(",1.00\r\n");
});

test("no text can start a new line and fake an entry", () => {
  expect(lineOf("Rent\n2025-01-01,Taxes")).toBe('"Rent\n2025-01-01,Taxes",1.00\r\n');
  for (const text of ["Rent\n2025", "Rent\r2025", "Rent\r\n2025"]) {
    expect(lineOf(text)).toBe(`"${text}",1.00\r\n`);
  }
});

test("a file starts with its headers once, marked as UTF-8, however many batches follow", async () => {
  async function* batches() {
    yield [{ text: "Owner’s pay", cents: 1n }];
    yield [];
    yield [{ text: "b", cents: 2n }];
  }
  const parts = [];
  for await (const part of csvFile(COLUMNS, batches())) parts.push(part);
  expect(parts.join("")).toBe("\uFEFFText,Amount\r\nOwner’s pay,0.01\r\nb,0.02\r\n");
  expect(csvHead(COLUMNS)).toBe("\uFEFFText,Amount\r\n");
});
