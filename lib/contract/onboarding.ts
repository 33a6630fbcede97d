import { z } from "zod";
import { stateSchema } from "@/lib/contract/input/us-states";
import { MAXIMUM_ACCOUNT_NAME_LENGTH } from "@/lib/contract/limits";
import { nameText } from "@/lib/contract/plain-text";

export const MAXIMUM_FIRST_PODS = 12;

/** The pods that an organization starts with, and the share of incoming money for each. */
export const firstPodsSchema = z
  .array(
    z.object({
      name: nameText(MAXIMUM_ACCOUNT_NAME_LENGTH),
      /** Whole percent; 0: nothing goes there automatically. */
      sharePercent: z
        .int("must be a whole number")
        .min(0, "must be at least 0")
        .max(100, "must be at most 100"),
    }),
  )
  .min(1, "must be at least one")
  .max(MAXIMUM_FIRST_PODS);
export type FirstPods = z.input<typeof firstPodsSchema>;

interface PodProposal {
  id: "profit-first" | "tax-and-bills" | "empty";
  label: string;
  pods: readonly { name: string; isFor: string; sharePercent: number }[];
}

/** Suggested pods; anything can be changed before and after. */
export const POD_PROPOSALS: readonly PodProposal[] = [
  {
    id: "profit-first",
    label: "Profit First",
    pods: [
      { name: "Profit", isFor: "A cushion", sharePercent: 5 },
      { name: "Owner’s pay", isFor: "Yours, every week", sharePercent: 50 },
      { name: "Taxes", isFor: "Set aside and left alone", sharePercent: 15 },
      { name: "Operating", isFor: "Everything it costs to run", sharePercent: 30 },
    ],
  },
  {
    id: "tax-and-bills",
    label: "Tax and bills",
    pods: [
      { name: "Taxes", isFor: "Set aside and left alone", sharePercent: 27 },
      { name: "Bills", isFor: "Rent and monthly bills", sharePercent: 40 },
      { name: "Operating", isFor: "Everything else", sharePercent: 33 },
    ],
  },
  { id: "empty", label: "Empty", pods: [{ name: "", isFor: "", sharePercent: 0 }] },
];

/** What one press opens: the first proposal. */
export const STARTER_PODS: FirstPods =
  POD_PROPOSALS[0]?.pods.map(({ name, sharePercent }) => ({ name, sharePercent })) ?? [];

/** Who pays a test deposit, and how much (sandbox only). */
export const TEST_PAYER_NAME = "Test payer";
export const TEST_DEPOSIT_IN_CENTS = 100_000;
/** The first move that a new sandbox organization is offered. */
export const FIRST_MOVE_IN_CENTS = 10_000;

/** Data of an organization for the identity check (docs/behavior/organizations.md). */

/** A business, and at most four owners of a quarter each. */
export const MAXIMUM_OWNERS = 4;

/** Nine digits, with any grouping. */
const taxIdSchema = z
  .string()
  .max(20)
  .transform((typed) => typed.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^[0-9]{9}$/, "must have nine digits"));

const addressSchema = z.object({
  street: nameText(200),
  city: nameText(100),
  state: stateSchema,
  postalCode: z
    .string()
    .trim()
    .regex(/^[0-9]{5}(-[0-9]{4})?$/, "must have five digits"),
});

const identityPersonSchema = z.object({
  name: nameText(200),
  /** For a business; null for an individual. */
  ownsPercent: z.coerce
    .number("must be a number")
    .min(25, "must be at least 25")
    .max(100, "must be at most 100")
    .nullable(),
  taxId: taxIdSchema,
  bornOn: z.iso
    .date("must be a date")
    .refine((date) => date >= "1900-01-01" && date <= "9999-12-31", "must be a date since 1900"),
  address: addressSchema,
});

export const identityInputSchema = z.object({
  /** Null for an individual. */
  business: z.object({ name: nameText(200), taxId: taxIdSchema, address: addressSchema }).nullable(),
  people: z.array(identityPersonSchema).min(1).max(MAXIMUM_OWNERS),
});
export type IdentityInput = z.input<typeof identityInputSchema>;
