import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MAXIMUM_IMPORTED_LINES } from "@/lib/contract/payee";
import { decodePayeeFile } from "@/lib/contract/payees/decode-payee-file";
import type { PayeeFileMatch } from "@/lib/contract/payees/payee-file";
import { importPayees, previewPayees } from "@/lib/core/payees/import-payees";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const HEADER = "name,kind,email,account holder,account kind,routing number,account number";

/** A file as people had it, byte for byte. */
const file = (name: string) =>
  decodePayeeFile(readFileSync(new URL(`../../testing/fixtures/payee-files/${name}`, import.meta.url)));

async function arrange() {
  const { services } = createTestServices(database);
  const { organizationId, owner } = await createTestOrganization(database, services);
  const bank = createSandboxBank(database.pool);
  const stored = async () => {
    const { rows } = await database.pool.query<{ name: string; last4: string | null; holder: string | null }>(
      `select p.name, d.account_number_last4 as last4, d.holder_name as holder from payees p
         left join payee_details d on d.organization_id = p.organization_id and d.payee_id = p.id
        where p.organization_id = $1 order by p.name`,
      [organizationId],
    );
    return rows;
  };
  return {
    stored,
    send: (text: string, match: PayeeFileMatch | null = null) =>
      importPayees(services, bank, owner, text, { match }),
    preview: (text: string, match: PayeeFileMatch | null = null) =>
      previewPayees(database.pool, bank, owner, text, match),
  };
}

describe("files that people have are read", () => {
  it.each([
    ["csv-semicolon.csv", "Acme 03", "Acme", "6780"],
    ["csv-trailing-empty-columns.csv", "Acme 09", "Acme", "6780"],
    ["csv-cr-only.csv", "Acme 05", "Acme", "6780"],
    ["csv-windows-1252.csv", "Café Zürich 02", "Café Zürich GmbH", "6780"],
  ])("%s", async (name, payee, holder, last4) => {
    const { send, stored } = await arrange();
    expect(await send(file(name))).toEqual([{ line: 2, name: payee, problem: null }]);
    expect(await stored()).toEqual([{ name: payee, last4, holder }]);
  });

  it("with Excel's sep= line, which counts as a line", async () => {
    const { send } = await arrange();
    const body = `${HEADER.replaceAll(",", "|")}\r\nAcme|BUSINESS|||||\r\n\r\nHalf|BUSINESS\r\n`;
    expect(await send(`sep=|\r\n${body}`)).toEqual([
      { line: 3, name: "Acme", problem: null },
      { line: 5, name: "", problem: "It has 2 fields, not 7." },
    ]);
    await expect(send(`sep=x\r\n${body}`)).rejects.toThrow("must name a comma, semicolon, tab or bar");
  });

  it("with numbers as formulas, which keep their zeros", async () => {
    const { send, stored } = await arrange();
    const numbers = '="021000021",="0012345"';
    const quoted = '"=""021000021""","=""0067 8900"""';
    const text = [HEADER, `A,BUSINESS,,A,CHECKING,${numbers}`, `B,BUSINESS,,B,SAVINGS,${quoted}`].join(
      "\r\n",
    );
    expect(await send(text)).toMatchObject([{ problem: null }, { problem: null }]);
    expect((await stored()).map(({ last4 }) => last4)).toEqual(["2345", "8900"]);
  });

  it("as Excel's Unicode text: UTF-16 with tabs", async () => {
    const { send } = await arrange();
    const text = `\uFEFF${HEADER.replaceAll(",", "\t")}\r\nCafé\tBUSINESS\t\t\t\t\t\r\n`;
    const littleEndian = Buffer.from(text, "utf16le");
    expect(await send(decodePayeeFile(littleEndian))).toEqual([{ line: 2, name: "Café", problem: null }]);
    const bigEndian = Buffer.from(littleEndian).swap16();
    for (const bytes of [bigEndian, littleEndian.subarray(2), bigEndian.subarray(2)])
      expect(decodePayeeFile(bytes)).toBe(decodePayeeFile(littleEndian));
    expect(["", "a", "é"].map((short) => decodePayeeFile(Buffer.from(short)))).toEqual(["", "a", "é"]);
  });

  it("the sample that the page offers", async () => {
    const { send } = await arrange();
    const sample = decodePayeeFile(
      readFileSync(new URL("../../../public/payees-sample.csv", import.meta.url)),
    );
    expect((await send(sample)).map(({ problem }) => problem)).toEqual([null, null]);
  });
});

describe("a workbook is refused as that, before any line of it is looked at", () => {
  it.each([
    ["of today", [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x06, 0x00, 0x08, 0x22, 0xc3, 0x28]],
    ["of before 2007", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0x00, 0x00]],
  ])("%s", async (_, bytes) => {
    const { send, preview } = await arrange();
    const text = decodePayeeFile(new Uint8Array(bytes));
    const refusal = "This is a workbook, not a CSV file. Save it as CSV";
    await expect(send(text)).rejects.toThrow(refusal);
    await expect(preview(text)).rejects.toThrow(refusal);
  });
});

describe("a file of another kind is refused by what it is", () => {
  /** UTF-32 of the Basic Multilingual Plane. */
  function utf32(text: string, isLittleEndian: boolean): Uint8Array {
    const bytes = new DataView(new ArrayBuffer(4 * text.length));
    for (const [index, letter] of [...text].entries()) {
      bytes.setUint32(4 * index, letter.codePointAt(0) ?? 0, isLittleEndian);
    }
    return new Uint8Array(bytes.buffer);
  }
  const csv = `${HEADER}\r\nAcme,BUSINESS,,,,,\r\n`;
  const row = "<tr><td>Acme</td><td>BUSINESS</td></tr>";

  it.each([
    ["UTF-32 with a byte order mark", utf32(`\uFEFF${csv}`, true), "UTF-32"],
    ["UTF-32, the other way around", utf32(`\uFEFF${csv}`, false), "UTF-32"],
    ["UTF-32 without a mark", utf32(csv, true), "UTF-32"],
    ["UTF-32 without a mark, the other way around", utf32(csv, false), "UTF-32"],
    ["HTML in one line", `<html><body><table>${row}</table></body></html>`, "a web page (HTML)"],
    ["HTML in lines", `\n<!DOCTYPE html>\n<html lang="en">\n<title>Sign in</title>\n`, "a web page (HTML)"],
    ["a table alone", `<table>${row}</table>`, "a web page (HTML)"],
    ["XHTML", `<?xml version="1.0"?><!DOCTYPE html><html></html>`, "a web page (HTML)"],
    ["XML", `<?xml version="1.0"?><payees><payee>Acme</payee></payees>`, "an XML file"],
    ["a PDF", "%PDF-1.7 ...", "a PDF"],
    ["RTF", "{\\rtf1\\ansi Acme}", "a text document (RTF)"],
    ["JSON", `[{"name":"Acme","kind":"BUSINESS"}]`, "a JSON file"],
    ["a workbook", "PK\u0003\u0004...", "a workbook"],
    [
      "a picture",
      "\u0089PNG\r\n\u001A\n\u0000\u0000\u0000\rIHDR and what a picture is made of",
      "not a text file",
    ],
  ])("%s", async (_, content, words) => {
    const { preview, send, stored } = await arrange();
    const text = decodePayeeFile(typeof content === "string" ? Buffer.from(content) : content);
    await expect(preview(text)).rejects.toThrow(`This is ${words === "UTF-32" ? "a file in UTF-32" : words}`);
    await expect(send(text)).rejects.toThrow("Nothing was added.");
    expect(await stored()).toEqual([]);
  });

  it.each(["<3 Flowers", "[Acme]", "{Acme}", "JSON Ltd"])("but a payee may be called %s", async (name) => {
    const { send } = await arrange();
    const match = { hasHeader: false, columns: { name: 0 }, kind: "BUSINESS", accountKind: null } as const;
    expect(await send(`${name}\r\nOther\r\n`, match)).toMatchObject([{ name }, { name: "Other" }]);
  });
});

it("an example of a column shows no more than the last four digits of any number", async () => {
  const { preview } = await arrange();
  const { columns } = await preview("Vendor,Number\nAcme,12345\nNova,1234567\n");
  expect(columns[1]).toEqual({ name: "Number", example: "••••2345" });
  const spaced = await preview("Vendor,Number\nAcme,12-3456 7\n");
  expect(spaced.columns[1]?.example).toBe("••••456 7");
});

describe("lines of another shape are reported by number, with none of their text", () => {
  it.each([
    ["csv-whole-row-quoted.csv", "The whole line is in quotes"],
    [
      "csv-semicolon-rows-under-comma-header.csv",
      "Its fields are separated by semicolons, those of the first line by commas.",
    ],
  ])("%s", async (name, problem) => {
    const { send, preview, stored } = await arrange();
    const report = await send(file(name));
    expect(report).toEqual([{ line: 2, name: "", problem: expect.stringContaining(problem) }]);
    const shown = JSON.stringify([report, (await preview(file(name))).payees]);
    expect(shown).not.toMatch(/Nova|021000021|1012/);
    expect(await stored()).toEqual([]);
  });

  it("whatever else is wrong with them, and the lines around them are added", async () => {
    const { send, stored } = await arrange();
    const secret = "987654321012";
    const report = await send(
      [
        HEADER,
        "First,BUSINESS,,,,,",
        `Acme 12" pipes,BUSINESS,,Acme,CHECKING,021000021,${secret}`,
        `${secret},BUSINESS`,
        `${secret},NOBODY,,,,,`,
        `"Two\nlines",BUSINESS,,Nova,CHECKING,021000021,${secret}`,
        `Nova,BUSINESS,,Nova,CHECKING,21000021,${secret}`,
        "Nova,BUSINESS,,Nova,CHECKING,021000021,9.87654E+11",
        "Lost \uFFFD,BUSINESS,,,,,",
        "Last,BUSINESS,,,,,",
      ].join("\n"),
    );
    expect(report.map(({ line, problem }) => [line, problem])).toEqual([
      [2, null],
      [3, expect.stringContaining("A quote is inside a field")],
      [4, "It has 2 fields, not 7."],
      [5, expect.stringContaining("The name or the account holder has a long number in it.")],
      [6, expect.stringContaining("goes on to line 7")],
      [8, expect.stringContaining("a spreadsheet dropped the zero in front")],
      [9, expect.stringContaining("to a power of ten")],
      [10, expect.stringContaining("a letter was lost in another encoding")],
      [11, null],
    ]);
    expect(JSON.stringify(report)).not.toMatch(/987654|021000021|9\.87/);
    expect((await stored()).map(({ name }) => name)).toEqual(["First", "Last"]);
  });
});

describe("a long number never becomes a name, which is shown everywhere", () => {
  const row = "Nova Ltd,BUSINESS,,Nova,CHECKING,021000021,987654321012";

  it("in a file whose lines are all in quotes as a whole", async () => {
    const { send, preview, stored } = await arrange();
    for (const header of [HEADER, "Recipient Name,Email,Routing Number", HEADER.replaceAll(",", ";")]) {
      const whole = `"${header}"\r\n"${row}"\r\n`;
      await expect(preview(whole)).rejects.toThrow("The first line is in quotes as a whole");
      await expect(
        send(whole, { hasHeader: false, columns: { name: 0 }, kind: "BUSINESS", accountKind: null }),
      ).rejects.toThrow("in quotes as a whole");
    }
    expect(await stored()).toEqual([]);
  });

  it("in a list whose lines hold more than the first, or whose columns were matched wrongly", async () => {
    const { send, preview, stored } = await arrange();
    const list: PayeeFileMatch = {
      hasHeader: false,
      columns: { name: 0 },
      kind: "BUSINESS",
      accountKind: null,
    };
    const shifted: PayeeFileMatch = {
      hasHeader: true,
      columns: { name: 0, holderName: 6, routingNumber: 5, accountNumber: 6 },
      kind: "BUSINESS",
      accountKind: "CHECKING",
    };
    for (const [text, match, line] of [
      [`"Cedar Hosting"\n"${row}"\n`, list, 2],
      [`a,b,c,d,e,f,g\n${row}`, shifted, 2],
      ["Cedar Hosting\n9876 5432 1012\n", list, 2],
    ] as const) {
      const report = await send(text, match);
      expect(report.at(-1)).toMatchObject({ line, problem: expect.stringContaining("a long number") });
      const shown = JSON.stringify([report, (await preview(text, match)).payees]);
      expect(shown).not.toMatch(/98765|021000021|9876 5432/);
    }
    expect((await stored()).map(({ name }) => name)).toEqual(["Cedar Hosting"]);
  });
});

describe("a quote that does not close imports nothing and names its line", () => {
  it.each([
    ["csv-unclosed-quote-first-field.csv", 3],
    ["csv-unclosed-quote-last-field.csv", 3],
  ])("%s", async (name, line) => {
    const { send, preview, stored } = await arrange();
    await expect(send(file(name))).rejects.toThrow(`Line ${line} has a quote that does not close`);
    await expect(preview(file(name))).rejects.toThrow(`Line ${line} has a quote`);
    expect(await stored()).toEqual([]);
  });

  it("also where a later quote seems to close it", async () => {
    const { send, stored } = await arrange();
    const rows = ['"Bad,BUSINESS,,,,,', "Good,BUSINESS,,,,,", '"Ruiz, Ana",INDIVIDUAL,,,,,'];
    await expect(send([HEADER, ...rows].join("\r\n"))).rejects.toThrow("Line 2 has a quote");
    await expect(send([HEADER, 'Good,BUSINESS,,,,,"1" 2'].join("\n"))).rejects.toThrow("Line 2 has a quote");
    expect(await stored()).toEqual([]);
  });
});

describe("lines that a quote hides in a column that is not matched are reported", () => {
  const match = { hasHeader: true, columns: { name: 0 }, kind: "BUSINESS", accountKind: null } as const;
  it.each([
    ["two lines", 'Beta,"5 inch,x\nGamma,tall",x', 3],
    ["three", 'Beta,"5 inch,x\nGamma,small,x\nDelta,tall",x', 4],
    ["to the end", 'Beta,y,"5 inch\nGamma,small,x\nDelta,tall,x"', 4],
  ])("%s", async (_, lines, lastLine) => {
    const { send } = await arrange();
    const message = `A field goes on to line ${lastLine}, and other lines seem to be in it. Check the quotes.`;
    expect(await send(`vendor,notes,terms\n${lines}\nLast,z,x`, match)).toEqual([
      { line: 2, name: "", problem: message },
      { line: lastLine + 1, name: "Last", problem: null },
    ]);
  });

  it("but a note of several lines is none of them", async () => {
    const { send } = await arrange();
    const text = 'vendor,notes,terms\nBeta,"one, two\nthree",x\nGamma,y,"one\ntwo, three"\n';
    expect(await send(text, match)).toMatchObject([{ problem: null }, { problem: null }]);
  });
});

describe("a file with another header", () => {
  const QUICKBOOKS = [
    "Vendor,Company,Phone,Email,Account #,Street Address,City,State,Zip",
    'Cedar Hosting,Cedar Hosting Inc,(555) 010-0199,billing@cedar.example,99887766,"1 Pier Road\nSuite 4",Oakland,CA,94607',
    "Ruiz Design,,,,,,,,",
  ].join("\r\n");
  const MERCURY = [
    "Recipient Name,Email,Account Holder Name,Account Type,Routing Number,Account Number",
    "Cedar Hosting,billing@cedar.example,Cedar Hosting Inc,businessChecking,101050001,000055556666",
  ].join("\n");

  it("is not imported without a match", async () => {
    const { send, stored } = await arrange();
    await expect(send(MERCURY)).rejects.toThrow("The first line must be");
    expect(await stored()).toEqual([]);
  });

  it("is matched by the names that Mercury and QuickBooks use, and a customer number is not a bank account", async () => {
    const { preview, send, stored } = await arrange();
    const mercury = await preview(MERCURY);
    expect(mercury.match.columns).toEqual({
      name: 0,
      email: 1,
      holderName: 2,
      accountKind: 3,
      routingNumber: 4,
      accountNumber: 5,
    });
    expect(mercury.columns[5]).toEqual({ name: "Account Number", example: "••••6666" });
    expect(mercury.payees[0]?.problem).toBe("The kind must be BUSINESS or INDIVIDUAL.");
    const chosen = { ...mercury.match, kind: "BUSINESS" as const };
    expect((await preview(MERCURY, chosen)).payees).toEqual([
      {
        line: 2,
        name: "Cedar Hosting",
        email: "billing@cedar.example",
        account: "Cedar Hosting Inc, checking ••••6666",
        problem: null,
      },
    ]);
    expect(await stored()).toEqual([]);
    expect(await send(MERCURY, chosen)).toEqual([{ line: 2, name: "Cedar Hosting", problem: null }]);
    expect(await stored()).toEqual([{ name: "Cedar Hosting", last4: "6666", holder: "Cedar Hosting Inc" }]);

    const quickBooks = await preview(QUICKBOOKS);
    expect(quickBooks.match.columns).toEqual({
      name: 0,
      email: 3,
      street: 5,
      city: 6,
      state: 7,
      postalCode: 8,
    });
  });

  it("reads fields that are not matched in any shape, and names taken in the file or before", async () => {
    const { preview, send } = await arrange();
    const match: PayeeFileMatch = {
      hasHeader: true,
      columns: { name: 0, email: 3 },
      kind: "BUSINESS",
      accountKind: null,
    };
    await send(QUICKBOOKS, match);
    const again = await preview(`${QUICKBOOKS}\r\nNew,,,,,,,,\r\nNEW,,,,,,,,`, match);
    expect(again.payees.map(({ line, name, problem }) => [line, name, problem === null])).toEqual([
      [2, "Cedar Hosting", false],
      [4, "Ruiz Design", false],
      [5, "New", true],
      [6, "NEW", false],
    ]);
  });

  it("or none: a plain list of names", async () => {
    const { preview, send, stored } = await arrange();
    const list = "Cedar Hosting\nRuiz Design\n";
    const { match, columns } = await preview(list);
    expect(match).toEqual({ hasHeader: false, columns: { name: 0 }, kind: null, accountKind: null });
    expect(columns).toEqual([{ name: null, example: "Cedar Hosting" }]);
    await send(list, { ...match, kind: "BUSINESS" });
    expect((await stored()).map(({ name }) => name)).toEqual(["Cedar Hosting", "Ruiz Design"]);
  });

  it("cannot name a column that is not there, nor more lines than the bound", async () => {
    const { preview } = await arrange();
    const match: PayeeFileMatch = { hasHeader: true, columns: { name: 6 }, kind: null, accountKind: null };
    await expect(preview(MERCURY, match)).rejects.toThrow("A column is not in this file");
    await expect(preview("a\n".repeat(MAXIMUM_IMPORTED_LINES + 1))).rejects.toThrow("from 1 to");
    await expect(preview(" \n\n")).rejects.toThrow("The file is empty");
    await expect(preview(`a${",b".repeat(300)}\n1`)).rejects.toThrow("at most 200 columns");
  });
});
