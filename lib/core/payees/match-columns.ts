import {
  PAYEE_CSV_ADDRESS_COLUMNS,
  PAYEE_CSV_COLUMNS,
  type PayeeAccountKind,
  type PayeeKind,
} from "@/lib/contract/payee";
import {
  PAYEE_FILE_FIELDS,
  type PayeeFileField,
  type PayeeFileMatch,
} from "@/lib/contract/payees/payee-file";

/**
 * What other products call a field, in the order of preference: Mercury, QuickBooks, banks' recipient files. "Account
 * no." and "Account #" are missing on purpose: in QuickBooks it is the customer number at the vendor.
 */
const OTHER_NAMES: Readonly<Record<PayeeFileField, readonly string[]>> = {
  name: [
    ...["name", "payee", "payee name", "recipient", "recipient name", "vendor", "vendor name"],
    ...[
      "vendor display name",
      "display name",
      "supplier",
      "supplier name",
      "beneficiary",
      "beneficiary name",
    ],
    ...["business name", "company", "company name", "full name", "nickname"],
  ],
  kind: ["kind", "payee kind", "payee type", "recipient type", "entity type"],
  email: [
    "email",
    "e mail",
    "email address",
    "main email",
    "recipient email",
    "vendor email",
    "contact email",
  ],
  holderName: ["account holder", "account holder name", "holder", "holder name", "name on account"],
  accountKind: ["account kind", "account type", "bank account type", "electronic account type"],
  routingNumber: [
    ...["routing number", "routing", "routing no", "routing transit number", "ach routing number"],
    ...["bank routing number", "routing number ach", "aba", "aba number", "aba routing number"],
  ],
  accountNumber: ["account number", "bank account number", "bank account no", "ach account number"],
  street: [
    "street",
    "street address",
    "address",
    "address line 1",
    "address 1",
    "billing street",
    "street 1",
  ],
  city: ["city", "town", "billing city", "main city"],
  state: ["state", "billing state", "main state"],
  postalCode: ["zip", "zip code", "postal code", "billing zip", "billing zip code", "main zip"],
};

const OWN_HEADER = PAYEE_CSV_COLUMNS.join(",");
const OWN_HEADER_WITH_ADDRESS = [...PAYEE_CSV_COLUMNS, ...PAYEE_CSV_ADDRESS_COLUMNS].join(",");

/** @returns the match of a file with Sluice's own header; null for another one */
export function matchOwnHeader(first: readonly string[]): PayeeFileMatch | null {
  const header = first.map((field) => field.toLowerCase()).join(",");
  if (header !== OWN_HEADER && header !== OWN_HEADER_WITH_ADDRESS) return null;
  const columns = Object.fromEntries(
    PAYEE_FILE_FIELDS.slice(0, first.length).map((field, column) => [field, column]),
  );
  return { hasHeader: true, columns, kind: null, accountKind: null };
}

/** The columns of a header whose names are known. */
function knownColumns(first: readonly string[]): PayeeFileMatch["columns"] {
  const named = first.map(normalize);
  return Object.fromEntries(
    PAYEE_FILE_FIELDS.flatMap((field) => {
      const name = OTHER_NAMES[field].find((known) => named.includes(known));
      return name === undefined ? [] : [[field, named.indexOf(name)]];
    }),
  );
}

/** Whether it has the name of more than one column. */
export const isKnownHeader = (first: readonly string[]): boolean =>
  Object.keys(knownColumns(first)).length > 1;

/** A first guess for another header, which a person checks. */
export function guessMatch(first: readonly string[]): PayeeFileMatch {
  const columns = knownColumns(first);
  const isKnown = Object.keys(columns).length > 0;
  // A plain list is one column of names; of several unknown columns, a header has no numbers.
  const hasHeader = isKnown || (first.length > 1 && !first.some(isValue));
  return { hasHeader, columns: isKnown ? columns : { name: 0 }, kind: null, accountKind: null };
}

/** A number or an address: what a line of a payee has, and a header does not. */
const isValue = (text: string) => /[0-9]{4}|@/.test(text);

/** `Account_Number`, `accountNumber` and `ACCOUNT NUMBER` are one name. */
function normalize(header: string): string {
  return header
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim();
}

/** `Company` as well as BUSINESS. @returns the text itself where it says neither */
export function readKind(text: string): PayeeKind | string {
  const word = normalize(text);
  if (/^(business|company|corporation|organization|vendor|supplier)$/.test(word)) return "BUSINESS";
  return /^(individual|person|personal)$/.test(word) ? "INDIVIDUAL" : text.toUpperCase();
}

/** `Business checking` and Mercury's `personalSavings` as well as CHECKING and SAVINGS. */
export function readAccountKind(text: string): PayeeAccountKind | string {
  const words = normalize(text).split(" ");
  if (words.includes("checking")) return "CHECKING";
  return words.includes("savings") || words.includes("saving") ? "SAVINGS" : text.toUpperCase();
}
