/** The records of a CSV file (RFC 4180, CRLF), without its mark of UTF-8. @throws Error where it is not well formed. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let fields: string[] = [];
  let rest = text.replace(/^\uFEFF/, "");
  while (rest !== "") {
    const field = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
    if (!field) throw new Error(`No field begins here: ${JSON.stringify(rest.slice(0, 80))}`);
    fields.push(field[1]?.replaceAll('""', '"') ?? field[2] ?? "");
    if (field[3] === "\r\n") {
      records.push(fields);
      fields = [];
    }
    rest = rest.slice(field[0].length);
  }
  if (fields.length > 0) throw new Error("The last line does not end");
  return records;
}
