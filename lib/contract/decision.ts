import { z } from "zod";
import { confirmationSchema } from "@/lib/contract/confirmation";
import type { DecideInput, DecisionSubject } from "@/lib/contract/views/decision";

/** What a browser sends when somebody decides; it may send anything. */
export const decisionSubjectSchema = z.object({
  proposalId: z.uuid(),
  decision: z.enum(["APPROVE", "DENY"]),
  digest: z.string().max(8_000),
}) satisfies z.ZodType<DecisionSubject>;

export const decideInputSchema = decisionSubjectSchema.extend({
  note: z.string().max(1_000).nullable(),
  confirmation: confirmationSchema,
}) satisfies z.ZodType<DecideInput>;
