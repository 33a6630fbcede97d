import { z } from "zod";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";

/** Cents to approve instead, in the address of an approval; null for none and for anything else. */
export const loweredAmountSchema = z.coerce
  .number()
  .int()
  .min(MINIMUM_TRANSFER_IN_CENTS)
  .nullable()
  .catch(null);
