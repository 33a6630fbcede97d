import { z } from "zod";

/** The NACHA return codes that the sandbox bank sends, in words for members. */
export const ACH_RETURNS = {
  R01: "not enough money",
  R02: "account closed",
  R03: "no account",
  R04: "invalid account number",
  R08: "payment stopped",
  R10: "not authorized",
  R16: "account frozen",
  R29: "not authorized by the company",
} as const;

export const achReturnCodeSchema = z.enum(["R01", "R02", "R03", "R04", "R08", "R10", "R16", "R29"]);
export type AchReturnCode = z.infer<typeof achReturnCodeSchema>;
