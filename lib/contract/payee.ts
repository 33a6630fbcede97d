import { z } from "zod";
import { accountNameSchema } from "@/lib/contract/account";
import { labelsInputShape, labelsOutputShape } from "@/lib/contract/input/labels";
import { lookAlikeSchema } from "@/lib/contract/input/look-alike";
import { stateSchema } from "@/lib/contract/input/us-states";
import { nameText, plainText } from "@/lib/contract/plain-text";

/** How many current payees an organization may have: few enough for a form to offer all of them. */
export const MAXIMUM_PAYEES = 500;
/** Proposed by one key or assistant and not confirmed yet. */
export const MAXIMUM_PROPOSED_PAYEES = 50;
export const PAYEE_LINK_LIFETIME_MS = 72 * 60 * 60_000;
const MAXIMUM_COOL_OFF_HOURS = 720;

export const payeeKindSchema = z.enum(["BUSINESS", "INDIVIDUAL"]);
const payeeRailSchema = z.enum(["ACH"]);
export const payeeAccountKindSchema = z.enum(["CHECKING", "SAVINGS"]);
export type PayeeKind = z.infer<typeof payeeKindSchema>;
export type PayeeAccountKind = z.infer<typeof payeeAccountKindSchema>;

/**
 * `NEEDS_DETAILS`: nobody has given its account yet. `WAITING`: a member must confirm it. `ACTIVE`: it can be paid.
 * `REMOVED`: it can no longer be paid.
 */
export const payeeStateSchema = z.enum(["NEEDS_DETAILS", "WAITING", "ACTIVE", "REMOVED"]).meta({
  id: "PayeeState",
  description:
    "`NEEDS_DETAILS`: its account is not known yet. `WAITING`: an owner or co-owner must confirm it. `ACTIVE`: it can be paid. `REMOVED`: it can no longer be paid.",
});
export type PayeeState = z.infer<typeof payeeStateSchema>;

/** A payee without any number, for programs. */
export const payeeSchema = z
  .strictObject({
    id: z.uuid().describe("Also the id of its account: the destination of a transfer, once it is `ACTIVE`."),
    name: z.string(),
    kind: payeeKindSchema,
    rail: payeeRailSchema.describe("How the bank pays it."),
    state: payeeStateSchema,
    changeIsWaiting: z
      .boolean()
      .describe(
        "An `ACTIVE` payee gave another account, which a member has not confirmed. Until then the earlier one is paid.",
      ),
    coolsOffUntil: z.iso
      .datetime()
      .nullable()
      .describe(
        "Until then, transfers above the organization's amount for new payees wait before they leave. Null: none waits.",
      ),
    lookAlike: lookAlikeSchema
      .nullable()
      .describe(
        "An account or another payee whose name looks the same as this one's, or as one that waits: say its id to a person as well. Null: there is none.",
      ),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    ...labelsOutputShape,
  })
  .meta({ id: "Payee", description: "An account of someone else that money can be sent to." });
export type Payee = z.infer<typeof payeeSchema>;

/** JavaScript's `trim` removes these. */
const SPACES = "[\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*";
/** As zod checks an email address, without look-ahead, for the OpenAPI document. */
const EMAIL =
  "(?:[A-Za-z0-9_'+-]+\\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}";

const payeeEmailSchema = z
  .string()
  .max(254)
  .trim()
  .regex(new RegExp(`^${EMAIL}$`), "must be an email address")
  .toLowerCase()
  .meta({ format: "email", pattern: `^${SPACES}${EMAIL}${SPACES}$` });

/** What a program may state: never a number, so that nothing it read or invented decides where money goes. */
export const proposePayeeBodySchema = z.strictObject({
  name: accountNameSchema.describe("As people know them."),
  kind: payeeKindSchema.describe("Whose account it is."),
  rail: payeeRailSchema.default("ACH").describe("How the bank pays it."),
  email: payeeEmailSchema
    .optional()
    .describe("Where a member may send the payee a link to enter their account."),
  reason: nameText(1_000).optional().describe("For the member who decides."),
  ...labelsInputShape,
});
export type ProposePayeeBody = z.output<typeof proposePayeeBodySchema>;

/**
 * Nine digits with the checksum of the American Bankers Association: weights 3, 7 and 1 in turn, a multiple of ten.
 */
export function isRoutingNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || text === "000000000") return false;
  const weights = [3, 7, 1];
  const sum = Array.from(text).reduce(
    (total, digit, at) => total + Number(digit) * (weights[at % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}

/** Spaces and dashes that people type between digits. */
const digitsOnly = (typed: string) => typed.replaceAll(/[\s-]/g, "");

/** Where the holder of an account lives or is registered, in the United States: some banks require it. */
export const holderAddressSchema = z.strictObject({
  street: nameText(100),
  city: nameText(60),
  state: stateSchema,
  postalCode: z
    .string()
    .trim()
    .regex(/^[0-9]{5}(-[0-9]{4})?$/, "must be a ZIP code"),
});

export const accountHolderSchema = nameText(100);

/** The account itself. Its messages repeat no digit: they are shown beside a field that is empty again. */
const accountShape = {
  holderName: accountHolderSchema,
  accountKind: payeeAccountKindSchema,
  routingNumber: z
    .string()
    .max(20, "must be the nine digits of a US bank's routing number")
    .transform(digitsOnly)
    .refine(isRoutingNumber, "must be the nine digits of a US bank's routing number"),
  accountNumber: z
    .string()
    .max(40, "must be 4 to 17 digits")
    .transform(digitsOnly)
    .pipe(z.string().regex(/^[0-9]{4,17}$/, "must be 4 to 17 digits")),
  /** Only for a bank that requires it. */
  address: holderAddressSchema.nullable().default(null),
};

/** What a payee types through their link. */
export const payeeAccountSchema = z.strictObject(accountShape);
export type PayeeAccountInput = z.input<typeof payeeAccountSchema>;

/** Of the form in which an account was typed: sent again from it, the account is the same one to the bank. */
const payeeFormIdSchema = z.uuid().optional();

/** A new payee by a member, with its account or without (a link then asks for it). */
export const newPayeeSchema = z.strictObject({
  name: accountNameSchema,
  kind: payeeKindSchema,
  rail: payeeRailSchema.default("ACH"),
  email: payeeEmailSchema.nullable().default(null),
  account: payeeAccountSchema.nullable(),
  formId: payeeFormIdSchema,
});
export type NewPayeeInput = z.input<typeof newPayeeSchema>;

/** The first line of a file with payees; the last four, the account, may be empty together. */
export const PAYEE_CSV_COLUMNS = [
  "name",
  "kind",
  "email",
  "account holder",
  "account kind",
  "routing number",
  "account number",
] as const;
/** May follow them: the address of the account holder, which some banks require. */
export const PAYEE_CSV_ADDRESS_COLUMNS = ["street", "city", "state", "zip"] as const;
export const MAXIMUM_IMPORTED_LINES = 200;
/** Characters of a file with payees: other products' exports have more columns than ours. */
export const MAXIMUM_IMPORT_LENGTH = 200_000;

/** A change by a member; without an account, the earlier one stays. */
export const changePayeeSchema = z.strictObject({
  payeeId: z.uuid(),
  name: accountNameSchema,
  kind: payeeKindSchema,
  account: payeeAccountSchema.nullable(),
  formId: payeeFormIdSchema,
});

export const callBackNoteSchema = plainText(500).trim().min(1, "must say who was called, on which number");

export const coolOffSchema = z.strictObject({
  aboveInCents: z
    .int("must be an amount like 500.00")
    .min(0, "must not be negative")
    .max(100_000_000, "must be at most 1,000,000.00"),
  hours: z
    .int("must be a whole number of hours")
    .min(0, "must not be negative")
    .max(MAXIMUM_COOL_OFF_HOURS, "must be at most 720 hours"),
});
export type CoolOff = z.output<typeof coolOffSchema>;
