import { ACH_RETURNS, achReturnCodeSchema } from "@/lib/contract/ach-return";
import { nameText } from "@/lib/words/messages/untrusted-text";

/** Why a bank refused or returned a transfer, in plain words: `not authorized (R10)`; null when it did not say. */
export function bankReason(errorCode: string | null): string | null {
  if (errorCode === null) return null;
  const code = errorCode.replace(/^ACH_/, "");
  const known = achReturnCodeSchema.safeParse(code).data;
  return known ? `${ACH_RETURNS[known]} (${known})` : `its code ${nameText(code)}`;
}
