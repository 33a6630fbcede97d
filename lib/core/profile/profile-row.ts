import { z } from "zod";
import { feeKindSchema, streamFrequencySchema } from "@/lib/contract/financial-profile";
import { spendingCategorySchema } from "@/lib/contract/spending-category";

/** What the SQL function `financial_profile` answers; checked, for JSON would round a sum beyond 2^53 in silence. */
export const profileRowSchema = z.object({
  totals: z.object({
    income: z.int(),
    spending: z.int(),
    flows: z.int(),
    purchases: z.int(),
    uncategorized: z.int(),
    saved: z.int(),
  }),
  discretionary: z.int(),
  months: z.array(z.object({ month: z.string(), came_in: z.int(), went_out: z.int() })),
  categories: z.array(z.object({ category: spendingCategorySchema, amount: z.int(), purchases: z.int() })),
  fees: z.array(z.object({ fee_kind: feeKindSchema, amount: z.int(), charges: z.int() })),
  streams: z.array(
    z.object({
      kind: z.enum(["INCOME", "SPENDING"]),
      name: z.string(),
      category: spendingCategorySchema.nullable(),
      frequency: streamFrequencySchema,
      average: z.int(),
      last_day: z.iso.date(),
      next_date: z.iso.date().nullable(),
      is_active: z.boolean(),
      price_change: z.int(),
    }),
  ),
});
export type ProfileRow = z.infer<typeof profileRowSchema>;
