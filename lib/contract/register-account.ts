import { z } from "zod";
import { accountHolderSchema, holderAddressSchema, payeeKindSchema } from "@/lib/contract/payee";

/** What a member adds to the numbers that the institution shares. */
export const registerAccountSchema = z.strictObject({
  accountId: z.uuid(),
  holderKind: payeeKindSchema,
  account: z.strictObject({
    holderName: accountHolderSchema,
    /** Only for a bank that requires it. */
    address: holderAddressSchema.nullable(),
  }),
});
export type RegisterAccountInput = z.input<typeof registerAccountSchema>;
