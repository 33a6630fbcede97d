import { z } from "zod";

/** Specification, Part 2, "Beneficiary": who owns an account. */
export const beneficiarySchema = z.strictObject({
  id: z.uuid(),
  /** Legal name of a business; names of the owners of an individual's. */
  name: z.string(),
  beneficiaryType: z.enum(["INDIVIDUAL", "BUSINESS"]),
});
export type Beneficiary = z.infer<typeof beneficiarySchema>;
