import { z } from "zod";
import { payeeAccountKindSchema, payeeKindSchema } from "@/lib/contract/payee";

export interface ImportedLine {
  /** Of the file, from 1. */
  line: number;
  name: string;
  /** Null: added. */
  problem: string | null;
}

/** What a file with payees can say about each, in the order of Sluice's own header. */
export const PAYEE_FILE_FIELDS = [
  "name",
  "kind",
  "email",
  "holderName",
  "accountKind",
  "routingNumber",
  "accountNumber",
  "street",
  "city",
  "state",
  "postalCode",
] as const;
export type PayeeFileField = (typeof PAYEE_FILE_FIELDS)[number];

/** Exports of accounting software have about 30. */
export const MAXIMUM_FILE_COLUMNS = 200;

/** Which column of a file holds what. */
export const payeeFileMatchSchema = z.strictObject({
  /** Whether the first line names the columns; otherwise it is a payee. */
  hasHeader: z.boolean(),
  /** The column of each field, from 0; a field that is left out is in no column. */
  columns: z.partialRecord(z.enum(PAYEE_FILE_FIELDS), z.int().min(0).max(MAXIMUM_FILE_COLUMNS)),
  /** Of every line, where no column says it. */
  kind: payeeKindSchema.nullable(),
  accountKind: payeeAccountKindSchema.nullable(),
});
export type PayeeFileMatch = z.infer<typeof payeeFileMatchSchema>;

/** A line of a file as it would be imported, without its numbers. */
export interface PreviewedPayee {
  /** Of the file, from 1. */
  line: number;
  /** Empty where the line cannot be read: none of its text is repeated then. */
  name: string;
  email: string | null;
  /** `Nova Ltd, checking ••••1012`; null: the payee enters it through a link. */
  account: string | null;
  /** What is wrong with it; null: it can be imported. */
  problem: string | null;
}

/** A file as it was understood. Nothing is stored. */
export interface PayeeFilePreview {
  kind: "READ";
  /** Its header is Sluice's own, so there is nothing to match. */
  isOwnHeader: boolean;
  /** The name of each column, if the first line names them, and its first value with digits masked. */
  columns: { name: string | null; example: string }[];
  match: PayeeFileMatch;
  payees: PreviewedPayee[];
}
