/** How the files of Excel, Numbers and LibreOffice begin: a ZIP archive, or Microsoft's older container. */
const WORKBOOKS = ["PK\u0003\u0004", "\u00D0\u00CF\u0011\u00E0"];

/** Programs end no line with it, and no text has it. */
const ZERO = "\u0000";
const LETTERS_LOOKED_AT = 64;

/** Each letter takes four bytes, of which three are zero; read as UTF-16 or as single bytes, zeros remain around each. */
function isUtf32(text: string): boolean {
  const letters = Array.from(text.slice(0, LETTERS_LOOKED_AT));
  const zeros = letters.filter((letter) => letter === ZERO).length;
  return zeros >= 2 && zeros >= Math.floor((letters.length - 1) / 2) && zeros < letters.length;
}

/** How files of other kinds begin, and what to tell the person who chose one; `text` as it was decoded. */
const KINDS: readonly [is: (text: string) => boolean, words: string][] = [
  [
    (text) => WORKBOOKS.some((beginning) => text.startsWith(beginning)),
    "This is a workbook, not a CSV file. Save it as CSV in the spreadsheet, and choose that file.",
  ],
  [
    isUtf32,
    "This is a file in UTF-32, which spreadsheets do not write. Save it as CSV in UTF-8, and choose that file.",
  ],
  [
    (text) => text.includes(ZERO),
    "This is not a text file, so it is not a CSV file either. Export the list as CSV, and choose that file.",
  ],
  [
    (text) => /^\uFEFF?\s*<\?xml\b(?![^>]*>\s*<(?:!doctype\s+html|html)\b)/i.test(text),
    "This is an XML file, not a CSV file. Export the list as CSV, and choose that file.",
  ],
  [
    (text) => /^\uFEFF?\s*<(?:!--|!doctype\b|\?|[a-z][a-z0-9]*[\s>/])/i.test(text),
    "This is a web page (HTML), not a CSV file. Where you downloaded it, sign in again or choose CSV, and choose that file.",
  ],
  [
    (text) => text.startsWith("%PDF-"),
    "This is a PDF, not a CSV file. Export the list as CSV, and choose that file.",
  ],
  [
    (text) => text.startsWith("{\\rtf"),
    "This is a text document (RTF), not a CSV file. Save the list as CSV, and choose that file.",
  ],
  [
    (text) => /^\uFEFF?\s*(?:\{\s*["}]|\[\s*(?:[{[]|\]\s*$))/.test(text),
    "This is a JSON file, not a CSV file. Export the list as CSV, and choose that file.",
  ],
];

/** What a file is that cannot be CSV, and what to choose instead; null: it may be CSV. */
export function whatElseItIs(text: string): string | null {
  return KINDS.find(([is]) => is(text))?.[1] ?? null;
}
