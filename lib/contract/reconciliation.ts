import { z } from "zod";
import { plainText } from "@/lib/contract/plain-text";

export const differenceKindSchema = z.enum([
  "MISSING_HERE",
  "MISSING_AT_BANK",
  "DIFFERENT_AMOUNT",
  "DIFFERENT_DATE",
  "LINE_CHANGED",
]);
export type DifferenceKind = z.infer<typeof differenceKindSchema>;

/** Lines that the bank books on its own: they name nothing here, so a person books them. */
export const BOOKABLE_LINES = ["FEE", "INTEREST", "OTHER"] as const;

export type DifferenceResolution =
  | "ARRIVED"
  | "CANCELED_OUT"
  | "CHANGED_BACK"
  | "CHANGED_AGAIN"
  | "MATCHED_BY_HAND"
  | "BOOKED"
  | "ACCEPTED";

const noteSchema = plainText(500).refine((text) => text.trim() !== "", "must not be empty");

export const askedBankSchema = z.strictObject({
  differenceId: z.uuid(),
  /** What was asked, and whom. */
  note: noteSchema,
});

export const matchDifferencesSchema = z.strictObject({
  differenceId: z.uuid(),
  otherId: z.uuid(),
  note: noteSchema.nullable(),
});

export const bookLineSchema = z.strictObject({
  differenceId: z.uuid(),
  /** The pod or income source that pays the fee or receives the money. */
  accountId: z.uuid("must be one of your accounts"),
});

export const acceptDateSchema = z.strictObject({
  differenceId: z.uuid(),
  /** Why the date may differ, or what the bank changed may stay. */
  note: noteSchema,
});
