import { z } from "zod";
import { plainText } from "@/lib/contract/plain-text";

/** What the identity check is told of an organization (decisions page, "Onboarding"). */

/** A business and at most four who own a quarter. */
export const MAXIMUM_OWNERS = 4;
export const MAXIMUM_DOCUMENT_BYTES = 5 * 1024 * 1024;
export const DOCUMENT_MEDIA_TYPES = ["image/jpeg", "image/png", "application/pdf"] as const;

const text = (maximumLength: number) => plainText(maximumLength).trim().min(1, "must not be empty");

/** Nine digits, however they are grouped. */
const taxIdSchema = z
  .string()
  .max(20)
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^[0-9]{9}$/, "must have nine digits"));

const addressSchema = z.object({
  street: text(200),
  city: text(100),
  state: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, "must be two letters like NY"),
  postalCode: z
    .string()
    .trim()
    .regex(/^[0-9]{5}(-[0-9]{4})?$/, "must have five digits"),
});

export const identityPersonSchema = z.object({
  name: text(200),
  /** Of a business; null for somebody who is the organization. */
  ownsPercent: z.coerce
    .number("must be a number")
    .min(25, "must be at least 25")
    .max(100, "must be at most 100")
    .nullable(),
  taxId: taxIdSchema,
  bornOn: z.iso.date("must be a date"),
  address: addressSchema,
});

export const identityInputSchema = z.object({
  /** Null for an individual. */
  business: z.object({ name: text(200), taxId: taxIdSchema, address: addressSchema }).nullable(),
  people: z.array(identityPersonSchema).min(1).max(MAXIMUM_OWNERS),
});
export type IdentityInput = z.input<typeof identityInputSchema>;
