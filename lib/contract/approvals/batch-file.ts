import { z } from "zod";
import { MAXIMUM_REASON_FOR_APPROVAL_LENGTH } from "@/lib/contract/limits";
import { plainText } from "@/lib/contract/plain-text";

/** What a file with payments can say about each. */
export const BATCH_FILE_FIELDS = ["source", "destination", "amount", "description"] as const;
export type BatchFileField = (typeof BATCH_FILE_FIELDS)[number];

/** A hundred lines as accounting software exports them. */
export const MAXIMUM_BATCH_FILE_LENGTH = 200_000;
const MAXIMUM_COLUMNS = 200;

/** Which column of a file holds what. */
export const batchFileMatchSchema = z.strictObject({
  /** Whether the first line names the columns; otherwise it is a payment. */
  hasHeader: z.boolean(),
  /** The column of each field, from 0; a field that is left out is in no column. */
  columns: z.partialRecord(z.enum(BATCH_FILE_FIELDS), z.int().min(0).max(MAXIMUM_COLUMNS)),
  /** Of every line, where no column says it. */
  sourceAccountId: z.uuid().nullable(),
});
export type BatchFileMatch = z.infer<typeof batchFileMatchSchema>;

export const batchFileSchema = z.strictObject({
  text: z.string().max(MAXIMUM_BATCH_FILE_LENGTH),
  match: batchFileMatchSchema.nullable().default(null),
});
export type BatchFile = z.infer<typeof batchFileSchema>;

export const proposeBatchFileSchema = batchFileSchema.extend({
  formId: z.uuid().toLowerCase(),
  /** For the team; the bank never sees it. */
  reason: plainText(MAXIMUM_REASON_FOR_APPROVAL_LENGTH).nullable(),
});
export type ProposeBatchFile = z.infer<typeof proposeBatchFileSchema>;

/** A line of a file as it would be proposed. */
export interface PreviewedLine {
  /** Its number in the batch, from 1. */
  number: number;
  /** Of the file, from 1. */
  fileLine: number;
  sourceName: string;
  destinationName: string;
  /** Null where it cannot be read. */
  amountInCents: number | null;
  description: string | null;
  /** What is wrong with it; null: it can be proposed. */
  problem: string | null;
  /** Another line that pays the same account; null: none does. */
  sameAccountAs: number | null;
}

/** A file as it was understood. Nothing is stored. */
export interface BatchFilePreview {
  kind: "READ";
  /** The name of each column, if the first line names them, and its first value. */
  columns: { name: string | null; example: string }[];
  match: BatchFileMatch;
  /** Neither a column nor one account for all lines says where the money comes from. */
  lacksSource: boolean;
  lines: PreviewedLine[];
  /** Of the lines that can be read. */
  totalInCents: number;
}
