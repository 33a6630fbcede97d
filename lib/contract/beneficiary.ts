import { z } from "zod";
import { plainText } from "@/lib/contract/plain-text";

/** Specification, Part 2, "Beneficiary": who owns an account. */
export const beneficiarySchema = z.strictObject({
  id: z.uuid(),
  /** Legal name of a business; names of the owners of an individual's. */
  name: z.string(),
  beneficiaryType: z.enum(["INDIVIDUAL", "BUSINESS"]),
});
export type Beneficiary = z.infer<typeof beneficiarySchema>;

/** What a member enters of a new one. */
export const newBeneficiarySchema = z.strictObject({
  name: plainText(200).trim().min(1, "must not be empty"),
  beneficiaryType: z.enum(["INDIVIDUAL", "BUSINESS"]),
});
export type NewBeneficiary = z.infer<typeof newBeneficiarySchema>;

/** As many as one page of the list holds, so that every form can offer all of them. */
export const MAXIMUM_BENEFICIARIES = 100;
